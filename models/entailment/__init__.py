"""Entailment models on CTranslate2: their import, their files, and how they score pairs."""

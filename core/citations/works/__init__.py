"""Scholarly works as citations name them: identifiers, entries, bibliographic strings, marks."""

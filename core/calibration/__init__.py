"""Measure a model on labelled cases, and keep what it earned."""

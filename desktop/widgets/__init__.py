"""Widgets that any page may use."""

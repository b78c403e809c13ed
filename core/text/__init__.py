"""Text as the gates compare it: hygiene, tokens, quantities, sentences."""

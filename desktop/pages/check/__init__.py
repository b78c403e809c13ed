"""The Check page: a claim, its source, the verdict, and the sentence that decides it."""

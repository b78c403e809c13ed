"""The recipe of the entailment adapter. README.md beside this file says how it is run."""

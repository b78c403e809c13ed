"""Ask the scholarly registries which work a citation means and what that work says."""

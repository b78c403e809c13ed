"""What runs models and reads untrusted files, outside the window's process."""

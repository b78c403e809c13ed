"""What is decided and why: plain Python with no Qt, no model runtime and no sockets of its own."""

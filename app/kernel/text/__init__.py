"""Plain forms of the kernel's values, JSON-ready, and reading them back."""

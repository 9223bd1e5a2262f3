"""The browser client: static ES modules without a build step, and how they are served (cache, strict CSP)."""

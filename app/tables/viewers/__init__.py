"""The frames that each viewer is sent."""

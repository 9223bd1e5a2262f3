"""Players made of rules of thumb. Pure: a bot sees the view and the open decision of its own seat, and nothing else.

No clock and no chance of its own: random choices come in as a number.
"""

from app.bots.choosing import EFFORTS, Effort, choose

__all__ = ["EFFORTS", "Effort", "choose"]

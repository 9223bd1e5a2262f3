"""The tables as the queries see them. The schema itself is made by `migrations/` only; a test holds the two together.

No queries, no defaults that the database does not know.
"""

from app.storage.archive.schema.circles import (
    circle_apart,
    circle_applications,
    circle_bans,
    circle_members,
    circle_templates,
    circles,
)
from app.storage.archive.schema.columns import metadata
from app.storage.archive.schema.ladder import ladder, ladder_adjustments, ladder_counts
from app.storage.archive.schema.operators import (
    admin_accounts,
    admin_tokens,
    audit_head,
    audit_log,
    reports,
    sanctions,
    words,
)
from app.storage.archive.schema.people import (
    blocks,
    devices,
    name_keys,
    personal_tokens,
    recovery_codes,
    refresh_tokens,
    sessions,
    users,
)
from app.storage.archive.schema.play import (
    ledger_lines,
    linked_seats,
    matches,
    records,
    rooms,
    round_seats,
    rounds,
    shares,
)
from app.storage.archive.schema.webhooks import webhook_deliveries, webhooks

__all__ = [
    "admin_accounts",
    "admin_tokens",
    "audit_head",
    "audit_log",
    "blocks",
    "circle_apart",
    "circle_applications",
    "circle_bans",
    "circle_members",
    "circle_templates",
    "circles",
    "devices",
    "ladder",
    "ladder_adjustments",
    "ladder_counts",
    "ledger_lines",
    "linked_seats",
    "matches",
    "metadata",
    "name_keys",
    "personal_tokens",
    "records",
    "recovery_codes",
    "refresh_tokens",
    "reports",
    "rooms",
    "round_seats",
    "rounds",
    "sanctions",
    "sessions",
    "shares",
    "users",
    "webhook_deliveries",
    "webhooks",
    "words",
]

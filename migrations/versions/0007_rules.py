"""Rules that only the code kept: a circle's owner, pairs of members, one place in a circle, the last admin, reasons.

Revision 0007, after 0006. Rows that break a rule already are put right first, as the comments of `MEND` say; rounds
that do are left as they are until they change (their sums are checked on change only).
"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

SCOPES = "ARRAY['read', 'moderate', 'operate', 'export', 'ladder', 'inspect', 'audit', 'accounts']"

MEND = (
    # A dissolved circle has nobody; one without anybody is dissolved; one without an owner goes to whom it would go.
    "DELETE FROM circle_members m USING circles c WHERE c.id = m.circle_id AND c.deleted_at IS NOT NULL",
    """
    UPDATE circles c SET deleted_at = now()
    WHERE deleted_at IS NULL AND NOT EXISTS (SELECT FROM circle_members m WHERE m.circle_id = c.id)
    """,
    """
    UPDATE circle_members m SET role = 'owner'
    FROM (
        SELECT DISTINCT ON (circle_id) circle_id, user_id FROM circle_members
        WHERE circle_id NOT IN (SELECT circle_id FROM circle_members WHERE role = 'owner')
        ORDER BY circle_id, role <> 'manager', joined_at, user_id
    ) heir
    WHERE (m.circle_id, m.user_id) = (heir.circle_id, heir.user_id)
    """,
    # A ban is stronger than a membership, but not than the owner's; members and banned users have no application.
    "DELETE FROM circle_bans b USING circle_members m WHERE (m.circle_id, m.user_id) = (b.circle_id, b.user_id)"
    " AND m.role = 'owner'",
    "DELETE FROM circle_members m USING circle_bans b WHERE (m.circle_id, m.user_id) = (b.circle_id, b.user_id)",
    "DELETE FROM circle_applications a USING circle_members m"
    " WHERE (m.circle_id, m.user_id) = (a.circle_id, a.user_id)",
    "DELETE FROM circle_applications a USING circle_bans b WHERE (b.circle_id, b.user_id) = (a.circle_id, a.user_id)",
    # A pair with a former member.
    """
    DELETE FROM circle_apart p
    WHERE NOT EXISTS (SELECT FROM circle_members m WHERE (m.circle_id, m.user_id) = (p.circle_id, p.user_a))
       OR NOT EXISTS (SELECT FROM circle_members m WHERE (m.circle_id, m.user_id) = (p.circle_id, p.user_b))
    """,
    # A deleted user leaves no personal data.
    """
    UPDATE users SET name = '已注销' || right(id, 4), name_key = 'deleted:' || id, avatar = '', password_hash = NULL
    WHERE deleted_at IS NOT NULL AND (password_hash IS NOT NULL OR avatar <> '' OR name_key <> 'deleted:' || id)
    """,
    # The newest refresh token of a session is the one to use.
    """
    UPDATE refresh_tokens t SET used_at = now()
    WHERE used_at IS NULL AND EXISTS (
        SELECT FROM refresh_tokens n WHERE n.session_id = t.session_id AND n.used_at IS NULL
          AND (n.issued_at, n.token_hash) > (t.issued_at, t.token_hash)
    )
    """,
    # Ended rows have a reason, open ones have none.
    "UPDATE rooms SET close_reason = CASE WHEN closed_at IS NULL THEN NULL ELSE 'unknown' END"
    " WHERE (closed_at IS NULL) <> (close_reason IS NULL)",
    "UPDATE matches SET end_reason = CASE WHEN ended_at IS NULL THEN NULL ELSE 'unknown' END"
    " WHERE (ended_at IS NULL) <> (end_reason IS NULL)",
    "UPDATE reports SET handled_by = CASE WHEN handled_at IS NULL THEN NULL ELSE 'unknown' END"
    " WHERE (handled_at IS NULL) <> (handled_by IS NULL)",
    "UPDATE reports SET reason = 'other' WHERE reason NOT IN ('cheating', 'collusion', 'abuse', 'name', 'other')",
    "UPDATE sanctions SET reason = 'unknown' WHERE btrim(reason) = ''",
    "DELETE FROM ladder_adjustments WHERE points = 0",
    "UPDATE ladder_adjustments SET reason = 'unknown' WHERE btrim(reason) = ''",
    f"UPDATE admin_tokens SET scopes = ARRAY(SELECT unnest(scopes) INTERSECT SELECT unnest({SCOPES}) ORDER BY 1)"
    f" WHERE NOT scopes <@ {SCOPES}",
)

CHECKS = (
    ("users", "users_forgotten",
     "deleted_at IS NULL OR (password_hash IS NULL AND avatar = '' AND name_key = 'deleted:' || id)"),
    ("rooms", "rooms_closed", "(closed_at IS NULL) = (close_reason IS NULL)"),
    ("matches", "matches_ended", "(ended_at IS NULL) = (end_reason IS NULL)"),
    ("reports", "reports_handled", "(handled_at IS NULL) = (handled_by IS NULL)"),
    ("reports", "reports_reason", "reason IN ('cheating', 'collusion', 'abuse', 'name', 'other')"),
    ("sanctions", "sanctions_reason", "btrim(reason) <> ''"),
    ("ladder_adjustments", "ladder_adjustments_reason", "btrim(reason) <> ''"),
    ("ladder_adjustments", "ladder_adjustments_points", "points <> 0"),
    ("admin_tokens", "admin_tokens_scopes", f"scopes <@ {SCOPES}"),
)  # fmt: skip

NEW_ROWS_ONLY = (
    ("ladder", "ladder_season", "season = 'total' OR season ~ '^[0-9]{4}Q[1-4]$'"),
    ("audit_log", "audit_log_who", "actor <> '' AND action <> ''"),
)
"""Nothing sensible can be made of old rows that break these, and a log is not rewritten: they stay, unchecked."""

_NEW_ROWS = """
DO $$
BEGIN
    ALTER TABLE {table} ADD CONSTRAINT {name} CHECK ({rule}) NOT VALID;
    BEGIN
        ALTER TABLE {table} VALIDATE CONSTRAINT {name};
    EXCEPTION WHEN check_violation THEN
        RAISE NOTICE 'old rows of {table} break {name}';
    END;
END
$$
"""

PAIRS = tuple(
    [
        f"ALTER TABLE circle_apart DROP CONSTRAINT circle_apart_{user}_fkey,"
        f" ADD CONSTRAINT circle_apart_{user}_member FOREIGN KEY (circle_id, {user})"
        f" REFERENCES circle_members (circle_id, user_id) ON DELETE CASCADE"
        for user in ("user_a", "user_b")
    ]
)

TRIGGERS = (
    """
    CREATE FUNCTION refuse_ownerless(the_circle text) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
        dissolved boolean;
    BEGIN
        SELECT deleted_at IS NOT NULL INTO dissolved FROM circles WHERE id = the_circle;
        IF NOT FOUND THEN
            RETURN;
        END IF;
        IF dissolved AND EXISTS (SELECT FROM circle_members WHERE circle_id = the_circle) THEN
            RAISE EXCEPTION 'circle % is dissolved and has members', the_circle
                USING ERRCODE = 'check_violation', CONSTRAINT = 'circle_owner';
        ELSIF NOT dissolved
          AND NOT EXISTS (SELECT FROM circle_members WHERE circle_id = the_circle AND role = 'owner') THEN
            RAISE EXCEPTION 'circle % has no owner', the_circle
                USING ERRCODE = 'check_violation', CONSTRAINT = 'circle_owner';
        END IF;
    END
    $$
    """,
    """
    CREATE FUNCTION check_circle_owner() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_TABLE_NAME = 'circles' THEN
            PERFORM refuse_ownerless(NEW.id);
            RETURN NULL;
        END IF;
        IF TG_OP <> 'DELETE' THEN
            PERFORM refuse_ownerless(NEW.circle_id);
        END IF;
        IF TG_OP <> 'INSERT' THEN
            PERFORM refuse_ownerless(OLD.circle_id);
        END IF;
        RETURN NULL;
    END
    $$
    """,
    """
    CREATE CONSTRAINT TRIGGER circles_owner AFTER INSERT OR UPDATE OF deleted_at ON circles
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_circle_owner()
    """,
    """
    CREATE CONSTRAINT TRIGGER circle_members_owner AFTER INSERT OR UPDATE OR DELETE ON circle_members
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_circle_owner()
    """,
    """
    CREATE FUNCTION check_circle_place() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (SELECT count(*) FROM (
            SELECT FROM circle_members WHERE (circle_id, user_id) = (NEW.circle_id, NEW.user_id)
            UNION ALL
            SELECT FROM circle_bans WHERE (circle_id, user_id) = (NEW.circle_id, NEW.user_id)
            UNION ALL
            SELECT FROM circle_applications WHERE (circle_id, user_id) = (NEW.circle_id, NEW.user_id)
        ) places) > 1 THEN
            RAISE EXCEPTION 'user % is member, applicant or banned at the same time in circle %',
                NEW.user_id, NEW.circle_id USING ERRCODE = 'check_violation', CONSTRAINT = 'circle_place';
        END IF;
        RETURN NULL;
    END
    $$
    """,
    *[
        f"CREATE CONSTRAINT TRIGGER {table}_place AFTER INSERT OR UPDATE OF circle_id, user_id ON {table}"
        " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_circle_place()"
        for table in ("circle_members", "circle_bans", "circle_applications")
    ],
    """
    CREATE FUNCTION check_last_admin() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (SELECT FROM admin_accounts WHERE role = 'admin' AND disabled_at IS NULL) THEN
            RAISE EXCEPTION 'somebody has to stay admin'
                USING ERRCODE = 'check_violation', CONSTRAINT = 'admin_accounts_last';
        END IF;
        RETURN NULL;
    END
    $$
    """,
    """
    CREATE CONSTRAINT TRIGGER admin_accounts_last AFTER UPDATE OR DELETE ON admin_accounts
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.role = 'admin' AND OLD.disabled_at IS NULL)
    EXECUTE FUNCTION check_last_admin()
    """,
)

_SUMS = """
CREATE OR REPLACE FUNCTION refuse_bad_sums(the_round text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    bad record;
BEGIN
    SELECT s.seat, s.net, s.bot, COALESCE(l.sum, 0) AS lines, r.outcome, r.ranked INTO bad
    FROM round_seats s
    JOIN rounds r ON r.id = s.round_id{joins}
    LEFT JOIN LATERAL (
        SELECT sum(CASE WHEN payee = s.seat THEN points ELSE -points END) AS sum
        FROM ledger_lines WHERE round_id = s.round_id AND s.seat IN (payer, payee)
    ) l ON true
    WHERE s.round_id = the_round
      AND (s.net <> COALESCE(l.sum, 0)
           OR (r.outcome IN ('void', 'failed') AND (s.net <> 0 OR r.ranked))
           OR (r.ranked AND (s.bot OR r.circle_id IS NOT NULL)){more})
    ORDER BY s.seat LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'round % (%, ranked %): seat % (bot %) has net %, its lines add up to %',
            the_round, bad.outcome, bad.ranked, bad.seat, bad.bot, bad.net, bad.lines
            USING ERRCODE = 'check_violation', CONSTRAINT = 'round_sums';
    END IF;
END
$$
"""
SUMS_BEFORE = _SUMS.format(joins="", more="")
SUMS_NOW = _SUMS.format(
    joins="""
    JOIN matches m ON m.id = r.match_id
    JOIN rooms o ON o.id = m.room_id""",
    more="""
           OR (s.won AND r.outcome <> 'won')
           OR s.ended_at <> r.ended_at
           OR r.circle_id IS DISTINCT FROM o.circle_id
           OR (r.ranked AND NOT o.ranked)""",
)
"""New: winners in won rounds only, ranked rounds in ranked rooms only; the seats' moment is the round's, its circle the
room's."""

_WATCHED = """
CREATE CONSTRAINT TRIGGER rounds_sums AFTER UPDATE OF {columns} ON rounds
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_round_sums()
"""

INDEXES = (
    "CREATE UNIQUE INDEX refresh_tokens_one_unused ON refresh_tokens (session_id) WHERE used_at IS NULL",
    "CREATE INDEX circle_apart_a ON circle_apart (user_a)",
    "CREATE INDEX circle_apart_b ON circle_apart (user_b)",
    "CREATE INDEX audit_log_actor ON audit_log (actor, id)",
)

UP = (
    *MEND,
    *PAIRS,
    *[f"ALTER TABLE {table} ADD CONSTRAINT {name} CHECK ({rule})" for table, name, rule in CHECKS],
    *[_NEW_ROWS.replace("{table}", table).replace("{name}", name).replace("{rule}", rule)
      for table, name, rule in NEW_ROWS_ONLY],
    *TRIGGERS,
    SUMS_NOW,
    "DROP TRIGGER rounds_sums ON rounds",
    _WATCHED.format(columns="outcome, ranked, circle_id, ended_at, match_id"),
    *INDEXES,
)  # fmt: skip

DOWN = (
    *[f"DROP INDEX {name}" for name in (
        "audit_log_actor", "circle_apart_b", "circle_apart_a", "refresh_tokens_one_unused",
    )],
    "DROP TRIGGER rounds_sums ON rounds",
    _WATCHED.format(columns="outcome, ranked, circle_id"),
    SUMS_BEFORE,
    "DROP TRIGGER admin_accounts_last ON admin_accounts",
    "DROP FUNCTION check_last_admin()",
    *[f"DROP TRIGGER {table}_place ON {table}" for table in ("circle_applications", "circle_bans", "circle_members")],
    "DROP FUNCTION check_circle_place()",
    "DROP TRIGGER circle_members_owner ON circle_members",
    "DROP TRIGGER circles_owner ON circles",
    "DROP FUNCTION check_circle_owner()",
    "DROP FUNCTION refuse_ownerless(text)",
    *[f"ALTER TABLE {table} DROP CONSTRAINT {name}" for table, name, _ in (*NEW_ROWS_ONLY, *CHECKS)],
    *[
        f"ALTER TABLE circle_apart DROP CONSTRAINT circle_apart_{user}_member,"
        f" ADD CONSTRAINT circle_apart_{user}_fkey FOREIGN KEY ({user}) REFERENCES users (id) ON DELETE CASCADE"
        for user in ("user_b", "user_a")
    ],
)  # fmt: skip


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)

"""Play: rooms, matches, rounds, seats, ledger lines, records (牌谱), shares, and the law that nets are sums of lines.

Revision 0003, after 0002.
"""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_SUMS = """
CREATE FUNCTION check_round_sums() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    the_round text := COALESCE(NEW.round_id, OLD.round_id);
    bad record;
BEGIN
    SELECT s.seat, s.net, COALESCE(l.sum, 0) AS lines, r.outcome INTO bad
    FROM round_seats s
    JOIN rounds r ON r.id = s.round_id
    LEFT JOIN LATERAL (
        SELECT sum(CASE WHEN payee = s.seat THEN points ELSE -points END) AS sum
        FROM ledger_lines WHERE round_id = s.round_id AND s.seat IN (payer, payee)
    ) l ON true
    WHERE s.round_id = the_round
      AND (s.net <> COALESCE(l.sum, 0) OR (r.outcome IN ('void', 'failed') AND s.net <> 0))
    ORDER BY s.seat LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'round % (%): seat % has net %, its lines add up to %',
            the_round, bad.outcome, bad.seat, bad.net, bad.lines
            USING ERRCODE = 'check_violation', CONSTRAINT = 'round_sums';
    END IF;
    RETURN NULL;
END
$$
"""

UP = (
    """
    CREATE TABLE rooms (
        id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
        kind text NOT NULL,
        variant text NOT NULL,
        rules jsonb NOT NULL,
        settings jsonb NOT NULL,
        circle_id text REFERENCES circles (id),
        host_id text REFERENCES users (id),
        ranked boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        closed_at timestamptz,
        close_reason text,
        CONSTRAINT rooms_kind CHECK (kind IN ('private', 'circle', 'public')),
        CONSTRAINT rooms_circle CHECK ((kind = 'circle') = (circle_id IS NOT NULL)),
        CONSTRAINT rooms_ranked CHECK (kind = 'public' OR NOT ranked)
    )
    """,
    "CREATE INDEX rooms_circle ON rooms (circle_id)",
    "CREATE INDEX rooms_open_public ON rooms (variant, created_at) WHERE kind = 'public' AND closed_at IS NULL",
    """
    CREATE TABLE matches (
        id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
        room_id text NOT NULL REFERENCES rooms (id),
        started_at timestamptz NOT NULL,
        ended_at timestamptz,
        end_reason text
    )
    """,
    "CREATE INDEX matches_room ON matches (room_id)",
    """
    CREATE TABLE rounds (
        id text PRIMARY KEY,
        match_id text NOT NULL REFERENCES matches (id),
        round_no integer NOT NULL,
        circle_id text REFERENCES circles (id),
        variant text NOT NULL,
        rules_version integer,
        rules jsonb NOT NULL,
        dealer smallint NOT NULL,
        outcome text NOT NULL,
        ranked boolean NOT NULL DEFAULT false,
        started_at timestamptz NOT NULL,
        ended_at timestamptz NOT NULL,
        facts jsonb NOT NULL,
        CONSTRAINT rounds_once UNIQUE (match_id, round_no),
        CONSTRAINT rounds_outcome CHECK (outcome IN ('won', 'exhausted', 'void', 'failed')),
        CONSTRAINT rounds_numbered CHECK (round_no > 0),
        CONSTRAINT rounds_dealer CHECK (dealer BETWEEN 0 AND 3)
    )
    """,
    "CREATE INDEX rounds_facts ON rounds USING gin (facts)",
    "CREATE INDEX rounds_circle ON rounds (circle_id, ended_at, id)",
    """
    CREATE TABLE round_seats (
        round_id text NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
        seat smallint NOT NULL,
        user_id text REFERENCES users (id),
        name text NOT NULL,
        bot boolean NOT NULL,
        net bigint NOT NULL,
        won boolean NOT NULL,
        patterns text[] NOT NULL,
        facts jsonb NOT NULL,
        ended_at timestamptz NOT NULL,
        PRIMARY KEY (round_id, seat),
        CONSTRAINT round_seats_seat CHECK (seat BETWEEN 0 AND 3),
        CONSTRAINT round_seats_bot CHECK (bot <> (user_id IS NOT NULL))
    )
    """,
    "CREATE INDEX round_seats_user ON round_seats (user_id, ended_at, round_id)",
    "CREATE UNIQUE INDEX round_seats_once ON round_seats (round_id, user_id) WHERE user_id IS NOT NULL",
    "CREATE INDEX round_seats_facts ON round_seats USING gin (facts)",
    """
    CREATE TABLE ledger_lines (
        round_id text NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
        n integer NOT NULL,
        reason text NOT NULL,
        clause text NOT NULL,
        payer smallint NOT NULL,
        payee smallint NOT NULL,
        points bigint NOT NULL,
        detail jsonb NOT NULL,
        PRIMARY KEY (round_id, n),
        FOREIGN KEY (round_id, payer) REFERENCES round_seats (round_id, seat),
        FOREIGN KEY (round_id, payee) REFERENCES round_seats (round_id, seat),
        CONSTRAINT ledger_lines_points CHECK (points > 0),
        CONSTRAINT ledger_lines_two_seats CHECK (payer <> payee)
    )
    """,
    """
    CREATE TABLE records (
        round_id text PRIMARY KEY REFERENCES rounds (id) ON DELETE CASCADE,
        format integer NOT NULL,
        record jsonb NOT NULL
    )
    """,
    """
    CREATE TABLE shares (
        code text PRIMARY KEY,
        round_id text NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
        shared_by text REFERENCES users (id),
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT shares_round UNIQUE (round_id)
    )
    """,
    _SUMS,
    """
    CREATE CONSTRAINT TRIGGER round_seats_sums AFTER INSERT OR UPDATE ON round_seats
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_round_sums()
    """,
    """
    CREATE CONSTRAINT TRIGGER ledger_lines_sums AFTER INSERT OR UPDATE OR DELETE ON ledger_lines
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_round_sums()
    """,
    """
    CREATE VIEW seat_history AS
    SELECT r.id AS round_id, r.match_id, r.round_no, r.variant, r.circle_id, r.outcome, r.ended_at,
           s.seat, s.user_id, s.seat = r.dealer AS is_dealer, s.won, s.net,
           r.facts AS round_facts, s.facts AS seat_facts
    FROM rounds r JOIN round_seats s ON s.round_id = r.id
    """,
)

DOWN = (
    "DROP VIEW seat_history",
    "DROP TABLE shares",
    "DROP TABLE records",
    "DROP TABLE ledger_lines",
    "DROP TABLE round_seats",
    "DROP FUNCTION check_round_sums()",
    "DROP TABLE rounds",
    "DROP TABLE matches",
    "DROP TABLE rooms",
)


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)

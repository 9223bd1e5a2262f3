"""The law of sums, without ways around it: lines that move to another round, a round that becomes void, ranked bots.

Revision 0006, after 0005.
"""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

UP = (
    """
    CREATE FUNCTION refuse_bad_sums(the_round text) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
        bad record;
    BEGIN
        SELECT s.seat, s.net, s.bot, COALESCE(l.sum, 0) AS lines, r.outcome, r.ranked INTO bad
        FROM round_seats s
        JOIN rounds r ON r.id = s.round_id
        LEFT JOIN LATERAL (
            SELECT sum(CASE WHEN payee = s.seat THEN points ELSE -points END) AS sum
            FROM ledger_lines WHERE round_id = s.round_id AND s.seat IN (payer, payee)
        ) l ON true
        WHERE s.round_id = the_round
          AND (s.net <> COALESCE(l.sum, 0)
               OR (r.outcome IN ('void', 'failed') AND (s.net <> 0 OR r.ranked))
               OR (r.ranked AND (s.bot OR r.circle_id IS NOT NULL)))
        ORDER BY s.seat LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'round % (%, ranked %): seat % (bot %) has net %, its lines add up to %',
                the_round, bad.outcome, bad.ranked, bad.seat, bad.bot, bad.net, bad.lines
                USING ERRCODE = 'check_violation', CONSTRAINT = 'round_sums';
        END IF;
    END
    $$
    """,
    """
    CREATE OR REPLACE FUNCTION check_round_sums() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_TABLE_NAME = 'rounds' THEN
            PERFORM refuse_bad_sums(NEW.id);
            RETURN NULL;
        END IF;
        IF TG_OP <> 'DELETE' THEN
            PERFORM refuse_bad_sums(NEW.round_id);
        END IF;
        IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND OLD.round_id <> NEW.round_id) THEN
            PERFORM refuse_bad_sums(OLD.round_id);
        END IF;
        RETURN NULL;
    END
    $$
    """,
    """
    CREATE CONSTRAINT TRIGGER rounds_sums AFTER UPDATE OF outcome, ranked, circle_id ON rounds
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_round_sums()
    """,
)

DOWN = (
    "DROP TRIGGER rounds_sums ON rounds",
    """
    CREATE OR REPLACE FUNCTION check_round_sums() RETURNS trigger LANGUAGE plpgsql AS $$
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
    """,
    "DROP FUNCTION refuse_bad_sums(text)",
)


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)

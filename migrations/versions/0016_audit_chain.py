"""Each row of the audit log binds the row before by a hash; one row keeps the end of the chain.

Revision 0016, after 0015. The rows that are there already are chained in the order of their ids.
"""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_HASH = """
CREATE FUNCTION audit_row_hash(before bytea, entry audit_log) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(before || convert_to(string_agg(octet_length(part) || ':' || part, '' ORDER BY n), 'UTF8'))
    FROM unnest(ARRAY[
        entry.id::text, ((extract(epoch FROM entry.at) * 1000000)::bigint)::text, entry.actor, entry.action,
        entry.subject, entry.reason, entry.status::text, entry.detail::text
    ]) WITH ORDINALITY AS parts (part, n)
$$
"""
# The owner's rights, because the application has none on the end of the chain. Its row is the lock under which rows are
# appended, on whatever node; so ids have no gaps, and a row that is missing is known by its number.
_CHAIN = """
CREATE FUNCTION chain_audit_log() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
    last audit_head;
BEGIN
    SELECT * INTO last FROM audit_head FOR UPDATE;
    IF NOT FOUND THEN
        INSERT INTO audit_head (id, hash) SELECT COALESCE(max(id), 0), '' FROM audit_log ON CONFLICT DO NOTHING;
        SELECT * INTO last FROM audit_head FOR UPDATE;
    END IF;
    NEW.id := last.id + 1;
    NEW.hash := audit_row_hash(last.hash, NEW);
    UPDATE audit_head SET id = NEW.id, hash = NEW.hash;
    RETURN NEW;
END
$$
"""
_CHAIN_OLD_ROWS = """
DO $$
DECLARE
    entry audit_log;
    last bytea := '';
BEGIN
    FOR entry IN SELECT * FROM audit_log ORDER BY id LOOP
        last := audit_row_hash(last, entry);
        UPDATE audit_log SET hash = last WHERE id = entry.id;
    END LOOP;
    INSERT INTO audit_head (id, hash) SELECT COALESCE(max(id), 0), last FROM audit_log;
END
$$
"""

_NEW_ROWS_ONLY = """
DO $$
BEGIN
    ALTER TABLE audit_log ADD CONSTRAINT audit_log_who CHECK (actor <> '' AND action <> '') NOT VALID;
    BEGIN
        ALTER TABLE audit_log VALIDATE CONSTRAINT audit_log_who;
    EXCEPTION WHEN check_violation THEN
        RAISE NOTICE 'old rows of audit_log break audit_log_who';
    END;
END
$$
"""

UP = (
    "ALTER TABLE audit_log ADD COLUMN hash bytea",
    """
    CREATE TABLE audit_head (
        one boolean PRIMARY KEY DEFAULT true,
        id bigint NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT audit_head_one CHECK (one)
    )
    """,
    _HASH,
    "ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only",
    "ALTER TABLE audit_log DROP CONSTRAINT audit_log_who",  # revision 0007: it holds for new rows only
    _CHAIN_OLD_ROWS,
    _NEW_ROWS_ONLY,
    "ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only",
    "ALTER TABLE audit_log ALTER COLUMN hash SET NOT NULL",
    _CHAIN,
    """
    CREATE TRIGGER audit_log_chain BEFORE INSERT ON audit_log
    FOR EACH ROW EXECUTE FUNCTION chain_audit_log()
    """,
)

DOWN = (
    "DROP TRIGGER audit_log_chain ON audit_log",
    "DROP FUNCTION chain_audit_log()",
    "DROP FUNCTION audit_row_hash(bytea, audit_log)",
    "DROP TABLE audit_head",
    "ALTER TABLE audit_log DROP COLUMN hash",
)


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)

-- Occurrences of a series with times or texts of their own. Null: as the series has them. `original_start` is the start
-- that the rule gives (RFC 5545, 3.8.4.4). Beside skipped_occurrence, which instances of the previous release write: an
-- occurrence that is cancelled keeps its change, and has it again when it is restored.
create table changed_occurrence (
  meeting_id uuid not null references meeting,
  original_start timestamptz not null,
  starts_at timestamptz,
  ends_at timestamptz,
  topic text,
  description text,
  changed_by uuid not null references account,
  changed_at timestamptz not null,
  primary key (meeting_id, original_start),
  check ((starts_at is null) = (ends_at is null)),
  check (ends_at > starts_at),
  check (num_nonnulls(starts_at, topic, description) > 0)
);

-- Emails about a cancellation wait until the person can no longer undo it.
alter table guest_delivery add column wait_until timestamptz;

-- What a meeting was before a person cancelled it, or a date and all that follow, for as long as that can be undone.
create table undoable_cancellation (
  meeting_id uuid primary key references meeting (id),
  cancelled_by uuid not null references account (id),
  undoable_until timestamptz not null,
  -- The version of the meeting after the cancellation: a meeting that was changed since is not undone.
  version integer not null,
  undone_at timestamptz,
  recurrence jsonb not null,
  ends_by timestamptz,
  over_at timestamptz not null,
  -- By table, the rows that a cancellation deletes or adds to.
  former_rows jsonb not null
);
create index undoable_cancellation_by_time on undoable_cancellation (undoable_until);

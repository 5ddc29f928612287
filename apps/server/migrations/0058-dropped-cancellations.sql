-- Dates of a series that were cancelled, and that a later change of its rule has no occurrence on. The cancellation is
-- dropped; the date is remembered so that a change that brings it back can say so. A date on the calendar of the series'
-- zone. skipped_occurrence needs no such column: each change of a series writes its rows anew, by their start in the
-- changed series, and moves those of before this migration that name no occurrence.
create table dropped_cancellation (
  meeting_id uuid not null references meeting,
  local_date date not null,
  dropped_at timestamptz not null,
  primary key (meeting_id, local_date)
);

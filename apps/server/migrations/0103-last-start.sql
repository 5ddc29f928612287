-- The start of the last occurrence, by which meetings that are over are listed: of a single meeting its start, infinity
-- for a series without an end. In UTC, because subtracting days from a timestamptz depends on the session's zone.
alter table meeting add column last_starts_at timestamptz not null generated always as (greatest(
  starts_at, ((over_at at time zone 'UTC') - (ends_at - starts_at)) at time zone 'UTC')) stored;
drop index meeting_by_host;
create index meeting_by_host on meeting (host_id, last_starts_at, id);
drop index participant_by_address;
create index participant_by_address on participant (email_key, starts_at, meeting_id)
  include (meeting_cancelled, meeting_recurring);

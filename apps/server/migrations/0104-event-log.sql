-- What happened, for programs that read it by GET /api/events (docs/events.md). A row is written in the transaction of
-- the change, without a position: `number` is taken at the insertion and may commit out of order. The publisher then
-- gives committed rows their position, in which they are read, and their sequence within the meeting (docs/decisions/0143).
-- References are no foreign keys: events outlive meetings, apps and grants, and the insertion is a part of each change.
create table event (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity,
  position bigint,
  type text not null,
  occurred_at timestamptz not null,
  account_id uuid not null,
  subject uuid not null,
  meeting_id uuid,
  app_id uuid,
  sequence bigint,
  data jsonb not null
);
create index event_unpublished on event (number) where position is null;
create unique index event_position on event (position) where position is not null;
create index event_of_account on event (account_id, position) where position is not null;
create index event_of_meeting on event (meeting_id, position) where position is not null and meeting_id is not null;
-- One row: the position of the last event, and up to which one events were deleted. The publisher creates and locks it:
-- a restore requires empty tables, so that no migration inserts rows.
create table event_log (
  singleton boolean primary key default true check (singleton),
  last_position bigint not null,
  deleted_position bigint not null
);
-- The sequence of a meeting goes on when its events are deleted.
create table event_counter (
  meeting_id uuid primary key,
  last_sequence bigint not null
);
-- When the event that says that a secret expires soon was recorded; once for each.
alter table app_secret add column expiry_reported_at timestamptz;
create index app_secret_expiring on app_secret (expires_at) where retired_at is null and expiry_reported_at is null;

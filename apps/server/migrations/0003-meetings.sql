create table meeting (
  id uuid primary key,
  -- Ten digits that begin with 1 to 8; a person's room has a code that begins with 9, so the two never meet.
  code text not null unique,
  host_id uuid not null references account,
  modified_by uuid not null references account,
  topic text not null,
  description text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- As it was sent, and the zone that occurrences are computed in.
  time_zone text not null,
  time_zone_iana text not null,
  -- The rule as packages/rules reads it; never asked for by its parts.
  recurrence jsonb not null,
  recurring boolean not null generated always as (recurrence ->> 'repeat' <> 'none') stored,
  ends_by timestamptz,
  -- When the last occurrence that was not skipped ends; infinity for a series without an end.
  over_at timestamptz not null,
  options jsonb not null,
  -- PIN, host key and host PIN, encrypted.
  sealed_secrets bytea not null,
  version integer not null default 0,
  cancelled_at timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null
);

-- A host's list in order of start: any page is one range of this index.
create index meeting_by_host on meeting (host_id, starts_at, id);

-- What is running or ahead, without reading through all that is over.
create index meeting_by_host_and_end on meeting (host_id, over_at);

-- A range of dates has to look at all series, and should not look at every single meeting for it.
create index series_by_host on meeting (host_id, id) where recurring;

-- Who is invited to a meeting, and who has the host's rights over it.
create table participant (
  meeting_id uuid not null references meeting,
  email_key text not null,
  email text not null,
  position integer not null,
  invited boolean not null,
  cohost boolean not null,
  -- The meeting's own, so that a participant's list is one range of an index, too.
  starts_at timestamptz not null,
  primary key (meeting_id, email_key)
);

create index participant_by_address on participant (email_key, starts_at, meeting_id);

create table skipped_occurrence (
  meeting_id uuid not null references meeting,
  starts_at timestamptz not null,
  skipped_by uuid not null references account,
  skipped_at timestamptz not null,
  primary key (meeting_id, starts_at)
);

-- How many meetings a host has: counting a hundred thousand for each page would cost more than the page.
-- Several rows a host, one for each of a few database connections, so that parallel creates do not wait for one another.
create table hosted_meeting_count (
  host_id uuid not null references account,
  shard smallint not null,
  active integer not null,
  cancelled integer not null,
  primary key (host_id, shard)
) with (fillfactor = 50);

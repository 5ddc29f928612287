-- When a meeting was really held: from the first person inside to the last who left.
create table room_session (
  id uuid primary key,
  meeting_id uuid not null references meeting,
  started_at timestamptz not null,
  -- Null while it goes on.
  ended_at timestamptz
);

create unique index room_session_going_on on room_session (meeting_id) where ended_at is null;
create index room_session_by_start on room_session (meeting_id, started_at, id);

-- Who was inside from when to when, as it was then: names and roles of an admission change.
create table room_stay (
  id uuid primary key,
  session_id uuid not null references room_session,
  meeting_id uuid not null references meeting,
  admission_id uuid not null references admission,
  account_id uuid references account,
  name text not null,
  role text not null check (role in ('host', 'cohost', 'participant')),
  -- The engine's own id of this one connection: a report that comes twice changes nothing.
  participant_sid text not null unique,
  joined_at timestamptz not null,
  left_at timestamptz
);

create index room_stay_by_session on room_stay (session_id, joined_at, id);
create index room_stay_by_meeting on room_stay (meeting_id, joined_at, id);
create index room_stay_going_on on room_stay (meeting_id) where left_at is null;
create index room_stay_by_admission on room_stay (admission_id) where left_at is null;

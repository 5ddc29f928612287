-- What a host has done to the room of a meeting; none: nothing yet.
create table room (
  meeting_id uuid primary key references meeting,
  locked_at timestamptz,
  -- The occurrence that was entered then is over; the next one opens again.
  ended_at timestamptz
);

-- Who asked to enter, and what came of it: one row a person and a meeting for as long as the answer holds.
create table admission (
  id uuid primary key,
  meeting_id uuid not null references meeting,
  -- One of the two: an account, or a guest by the SHA-256 of their cookie.
  account_id uuid references account,
  guest_hash bytea,
  name text not null,
  role text not null check (role in ('host', 'cohost', 'participant')),
  state text not null check (state in ('waiting', 'admitted', 'denied')),
  asked_at timestamptz not null,
  decided_at timestamptz,
  -- Inside from the one to the other; only whoever carries the sound and the pictures knows.
  entered_at timestamptz,
  left_at timestamptz,
  check ((account_id is null) <> (guest_hash is null))
);

create unique index admission_of_account on admission (meeting_id, account_id) where account_id is not null;
create unique index admission_of_guest on admission (meeting_id, guest_hash) where guest_hash is not null;
create index admission_by_age on admission (asked_at);

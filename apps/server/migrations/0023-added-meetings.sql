-- Meetings that people put on their lists themselves, by a link and its PIN: no invitation, and nothing of the host's.
create table added_meeting (
  account_id uuid not null references account,
  meeting_id uuid not null references meeting,
  added_at timestamptz not null,
  primary key (account_id, meeting_id)
);

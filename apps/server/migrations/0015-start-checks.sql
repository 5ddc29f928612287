-- When a meeting is checked next for a date that starts soon: shortly before its next date, and at once after a change.
-- Meetings without dates ahead have no row.
create table start_check (
  meeting_id uuid primary key references meeting on delete cascade,
  check_at timestamptz not null
);
create index start_check_by_time on start_check (check_at);
insert into start_check (meeting_id, check_at)
  select id, case when recurring then '-infinity' else starts_at - interval '5 minutes 30 seconds' end
  from meeting where cancelled_at is null and over_at > now();

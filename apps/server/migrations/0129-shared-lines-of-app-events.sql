-- Parties that only know an app's client id, which is public, can cause any number of refusals. Refusals of one cause
-- share a line for an hour, which counts them and keeps the ids of the newest requests.
alter table app_event
  add column occurrences integer not null default 1,
  -- The default is for instances of the previous release, which do not write the column.
  add column last_occurred_at timestamptz not null default now(),
  add column earlier_request_ids text[] not null default '{}',
  add column shared_hour timestamptz;

update app_event set last_occurred_at = created_at;

create index app_event_by_time on app_event (app_id, last_occurred_at, id);
create unique index app_event_shared on app_event (app_id, shared_hour, kind, sandbox, cause)
  where shared_hour is not null;

drop index app_event_by_age;
create index app_event_by_age on app_event (last_occurred_at);
-- Lists are in the order of the newest occurrence now.
drop index app_event_by_app;

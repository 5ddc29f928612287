-- The grant by which an app made the change, so that Connected apps can show what each app did (docs/decisions/0158). No
-- foreign key, as for the other references of events.
alter table event add column acting_grant_id uuid;
create index event_of_acting_grant on event (acting_grant_id, position)
  where position is not null and acting_grant_id is not null;

-- The sandbox secret that the developer portal's Playground makes for a day. It does not count among the developer's own,
-- and an app has one at most: making another one retires it.
alter table app_secret add column for_playground boolean not null default false;
create unique index app_secret_of_playground on app_secret (app_id) where for_playground and retired_at is null;

-- What an app's user came by: with it ends their stay. Null: they came themselves.
alter table admission add column grant_id uuid references app_grant;

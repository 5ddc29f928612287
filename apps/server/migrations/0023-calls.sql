-- What hosts set for a call, until it ends: the tiles that everyone sees large, and the end in place of the planned one.
alter table room add column spotlight jsonb not null default '[]';
alter table room add column call_ends_at timestamptz;
-- The name that a person had in a call before the last change of it.
alter table admission add column former_name text;

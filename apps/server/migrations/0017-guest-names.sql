-- What the host calls a participant; empty for no name.
alter table participant add column display_name text not null default '';

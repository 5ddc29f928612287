-- From when, and for which date of the meeting, new guests wait until a host admits them; null: they do not.
alter table room
  add column asks_new_guests_since timestamptz,
  add column asks_new_guests_for timestamptz,
  add check ((asks_new_guests_since is null) = (asks_new_guests_for is null));

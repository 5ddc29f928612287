-- Who waits for the host is kept like who waits to be let in; removed is denied.
alter table admission drop constraint admission_state_check;
alter table admission
  add constraint admission_state_check check (state in ('waiting_for_host', 'waiting', 'admitted', 'denied')),
  -- The start of the occurrence that was asked for: who was let in yesterday is not let in today.
  add column occurrence_at timestamptz,
  -- When their page was last there. Who waits and is not seen waits no longer.
  add column seen_at timestamptz,
  -- What the host's key or a host inside made of them; null: they are what their account is to the meeting.
  add column granted_role text check (granted_role in ('host', 'cohost')),
  -- May not switch the microphone on until a host allows it.
  add column hard_muted boolean not null default false,
  -- When a host last asked them to switch it on.
  add column unmute_asked_at timestamptz;

update admission set occurrence_at = asked_at, seen_at = asked_at;
update admission set decided_at = asked_at where state <> 'waiting' and decided_at is null;
alter table admission alter column occurrence_at set not null, alter column seen_at set not null;

-- A door asks for each of these with every look, and rooms have a history.
create index admission_inside on admission (meeting_id) where entered_at is not null and left_at is null;
-- Without seen_at: it changes every few seconds, and no index has to follow.
create index admission_waiting on admission (meeting_id) where state in ('waiting_for_host', 'waiting');
create index admission_denied on admission (meeting_id, decided_at) where state = 'denied';

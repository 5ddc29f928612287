-- What hosts have decided that participants may do in a call: for one person, and for everyone at an occurrence.
alter table admission add column rights jsonb not null default '{}';
alter table room add column rights jsonb not null default '{}';
alter table room add column rights_for timestamptz;

-- People whom a host has let speak. The option of the meeting decides for everyone else.
update admission a set rights = '{"microphone": true}' from meeting m
where m.id = a.meeting_id and a.role = 'participant' and a.state = 'admitted' and not a.hard_muted
  and m.options ->> 'participantHardAudioMute' = 'true';
-- Instances of the version before still read and write it during an upgrade; the next release drops it.
alter table admission alter column hard_muted set default false;

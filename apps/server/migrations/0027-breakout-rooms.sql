-- The breakout rooms of a call, until they close: names, end, last message.
alter table room add column breakout jsonb;
-- The breakout room that a person belongs to, and whether the person is in the main room meanwhile.
alter table admission add column breakout_room uuid;
alter table admission add column breakout_away boolean not null default false;
-- When the person asked a host for help in the breakout room.
alter table admission add column help_asked_at timestamptz;

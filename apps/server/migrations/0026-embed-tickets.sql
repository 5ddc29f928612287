-- Tickets with which the pages of apps have people enter embedded meetings: each used once, within a minute.
create table embed_ticket (
  ticket_hash bytea primary key,
  family_id uuid not null,
  room_code text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index embed_ticket_by_family on embed_ticket (family_id);
create index embed_ticket_by_age on embed_ticket (expires_at);
-- The svcMeetId of the only room that a token of an embedded page opens.
alter table access_token add column room_code text;

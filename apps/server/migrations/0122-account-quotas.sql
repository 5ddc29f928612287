-- What an account keeps, for its quotas: the participants and the bytes of texts of the meetings that it hosts, and the
-- replies that are stored for its idempotency keys within a day.
alter table hosted_meeting_count
  add column participants integer not null default 0,
  add column text_bytes bigint not null default 0;

insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled, participants, text_bytes)
select m.host_id, 0, 0, 0, sum((select count(*) from participant p where p.meeting_id = m.id)),
  sum(octet_length(m.topic) + octet_length(m.description))
from meeting m group by m.host_id
on conflict (host_id, shard) do update set participants = excluded.participants, text_bytes = excluded.text_bytes;

create table idempotency_usage (
  account_id uuid primary key references account (id) on delete cascade,
  since timestamptz not null,
  stored_bytes bigint not null
);

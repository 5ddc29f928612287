-- The SEQUENCE at which what calendars show of the meeting last changed; people may have come and gone since. Null, until
-- the first change after this migration: that of the meeting.
alter table meeting add column state_sequence integer;
-- Until when the daily limits hold back a mail to this address; null again once one has been sent.
alter table participant add column mail_delayed_until timestamptz;

-- The meeting as calendars have been sent it, once for all of its guests; encrypted, because the PIN is part of it. No
-- foreign key here or below: a delivery must not wait for a change that holds the meeting, and that waits for deliveries.
create table meeting_state (
  meeting_id uuid not null,
  sequence integer not null,
  sealed_content bytea not null,
  created_at timestamptz not null,
  -- The row of the last release that it was copied from, and under whose id it is encrypted.
  notice_id uuid,
  primary key (meeting_id, sequence)
);

-- One row for each meeting and address: what the guest's calendar holds, and what is still to be sent. Its mails go out one
-- after the other (docs/decisions/0054).
create table guest_delivery (
  meeting_id uuid not null,
  email_key text not null,
  -- As it was typed.
  email text not null,
  -- The meeting_state that the last accepted mail holds; null: none, or a cancellation. A number without a row: not recorded.
  held_sequence integer,
  -- A change waits to be sent, or to be found superseded.
  pending boolean not null default false,
  -- Raised by everything that may need a mail, so that a delivery notices what comes while it is under way.
  revision integer not null default 0,
  -- Whose change waits, and since when.
  sender_id uuid,
  wanted_at timestamptz,
  -- The date that the person is to be reminded of, and the mail that does so, once it was begun.
  reminder_for timestamptz,
  reminder_id uuid,
  -- When the last mail other than a reminder was accepted.
  last_mail_at timestamptz,
  -- Since when the mail server has not taken what waits.
  failing_since timestamptz,
  -- The job that delivers at the moment, if it still runs.
  job_id bigint,
  -- The kind of a mail that was accepted, and that the meeting does not show yet.
  unreported text,
  primary key (meeting_id, email_key)
) with (fillfactor = 80);

create index guest_delivery_by_sender on guest_delivery (sender_id, wanted_at) where pending;
-- Of people who are not invited any more and know it.
create index guest_delivery_ended on guest_delivery (last_mail_at) where held_sequence is null and not pending;

-- The mails about meetings. One is written before it is handed to the mail server: `unknown` until the server has answered,
-- and for good when a process died in between.
create table guest_mail (
  meeting_id uuid not null,
  email_key text not null,
  -- In the order of time; the Message-ID is made of it.
  id uuid not null,
  kind text not null,
  sequence integer not null,
  -- The meeting_state that it shows.
  state_sequence integer not null,
  date timestamptz,
  sender_id uuid,
  started_at timestamptz not null,
  sent_at timestamptz,
  outcome text not null check (outcome in ('unknown', 'sent', 'superseded')),
  primary key (meeting_id, email_key, id)
) with (fillfactor = 80);

-- The daily limits count these rows.
create index guest_mail_by_address on guest_mail (email_key, started_at);
create index guest_mail_by_sender on guest_mail (sender_id, started_at) where sender_id is not null;
create index guest_mail_by_age on guest_mail using brin (started_at);

-- What was mailed so far. meeting_notice and meeting_letter are no longer written to and go with the next release: until
-- then queued jobs name their rows.
insert into meeting_state (meeting_id, sequence, sealed_content, created_at, notice_id)
select distinct on (n.meeting_id, n.sequence) n.meeting_id, n.sequence, n.sealed_content, n.created_at, n.id
from meeting_notice n
where exists (select from meeting_letter l where l.notice_id = n.id and l.kind <> 'reminder')
order by n.meeting_id, n.sequence, n.id;

insert into guest_mail (meeting_id, email_key, id, kind, sequence, state_sequence, sender_id, started_at, sent_at, outcome)
select l.meeting_id, l.email_key, l.notice_id, l.kind, n.sequence, n.sequence, n.actor_id, n.created_at, l.sent_at, 'sent'
from meeting_letter l join meeting_notice n on n.id = l.notice_id
where l.sent_at is not null;

-- What was accepted last is what the guest holds; what was neither accepted nor given up waits still, as does its job.
insert into guest_delivery (meeting_id, email_key, email, held_sequence, pending, revision, sender_id, wanted_at, last_mail_at)
select l.meeting_id, l.email_key, (array_agg(l.email order by l.notice_id desc))[1],
  (array_agg(case when l.kind in ('invitation', 'update', 'occurrence-cancellation', 'series-end') then n.sequence end
    order by l.notice_id desc) filter (where l.sent_at is not null))[1],
  bool_or(l.sent_at is null and l.failed_at is null), 1,
  (array_agg(n.actor_id order by l.notice_id desc))[1],
  max(n.created_at), max(n.created_at) filter (where l.sent_at is not null)
from meeting_letter l join meeting_notice n on n.id = l.notice_id
where l.kind <> 'reminder'
group by l.meeting_id, l.email_key;

-- Mails of more than 180 days ago have left no row. Their guests hold something all the same.
insert into guest_delivery (meeting_id, email_key, email, held_sequence)
select p.meeting_id, p.email_key, p.email, -1
from participant p join meeting m on m.id = p.meeting_id
where p.invited and m.invitation_mailed and m.over_at > now()
  and not exists (select from meeting_letter l where l.meeting_id = m.id and l.kind <> 'reminder')
on conflict do nothing;

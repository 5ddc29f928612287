-- SEQUENCE of iCalendar (RFC 5545, 3.8.7.4).
alter table meeting add column sequence integer not null default 0;
-- Null: as the service is configured. 0: none.
alter table meeting add column reminder_minutes integer;
-- Which mails have been handed over (service.md 2.4, notificationsSend).
alter table meeting add column invitation_mailed boolean not null default false;
alter table meeting add column reminder_mailed boolean not null default false;
alter table meeting add column cancellation_mailed boolean not null default false;

alter table participant add column response text check (response in ('accepted', 'tentative', 'declined'));
-- When mail to this address was given up; null again once one has arrived.
alter table participant add column mail_failed_at timestamptz;

-- What the guests of a meeting are told once: the meeting as it was then, sealed, because the PIN stands in it.
create table meeting_notice (
  id uuid primary key,
  meeting_id uuid not null references meeting,
  sequence integer not null,
  -- On whose account it is counted: who caused it, and of a reminder the host.
  actor_id uuid references account,
  letters integer not null,
  sealed_content bytea not null,
  created_at timestamptz not null
);

-- How much somebody has had mailed within a day.
create index meeting_notice_by_actor on meeting_notice (actor_id, created_at) include (letters) where actor_id is not null;
create index meeting_notice_by_age on meeting_notice (created_at);

-- One mail to one person, and what became of it. Its job names it, so that it is sent once, whoever runs the job. No
-- foreign key: a thousand of them are written with their notice, and go with it.
create table meeting_letter (
  meeting_id uuid not null,
  email_key text not null,
  notice_id uuid not null,
  email text not null,
  kind text not null,
  sent_at timestamptz,
  failed_at timestamptz,
  -- Ids are in the order of time: the letters to one person make a thread.
  primary key (meeting_id, email_key, notice_id)
) with (fillfactor = 80);

create index meeting_letter_by_notice on meeting_letter (notice_id);

-- The next reminder of each meeting that has one. A table of its own, because moving it on must not rewrite the meeting.
create table meeting_reminder (
  meeting_id uuid primary key references meeting,
  occurrence timestamptz not null,
  due_at timestamptz not null
) with (fillfactor = 80);

create index meeting_reminder_by_time on meeting_reminder (due_at);

-- In which language a person is written to; empty when it was never said.
alter table account add column language text not null default '';
alter table pending_sign_up add column language text not null default '';

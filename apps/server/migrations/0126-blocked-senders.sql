-- Senders whose meetings are in no list of a person, and of whose meetings the person gets no email.
create table blocked_sender (
  account_id uuid not null references account (id) on delete cascade,
  sender_id uuid not null references account (id) on delete cascade,
  blocked_at timestamptz not null,
  primary key (account_id, sender_id)
);
create index blocked_sender_by_sender on blocked_sender (sender_id);

-- Whether the person has blocked the meeting's host. On the row, and in its indexes, because lists read many rows.
alter table participant add column blocked boolean not null default false;
drop index participant_by_address;
create index participant_by_address on participant (email_key, starts_at, meeting_id)
  include (meeting_cancelled, meeting_recurring, blocked);
drop index series_by_address;
create index series_by_address on participant (email_key, meeting_id) include (blocked) where meeting_recurring;

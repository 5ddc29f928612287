-- Addresses that asked, by the link in a reminder, for no more reminders of a meeting (RFC 8058). The host's may be one.
create table stopped_reminder (
  meeting_id uuid not null references meeting,
  email_key text not null,
  stopped_at timestamptz not null,
  primary key (meeting_id, email_key)
);

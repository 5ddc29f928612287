-- Reply addresses of guests end: with the guest's removal and with their own stop for one meeting, with a renewed
-- calendar address and a disconnected app for all meetings of an account (docs/decisions/0161).
create table reply_generation (
  meeting_id uuid not null references meeting (id) on delete cascade,
  email_key text not null,
  generation integer not null default 1,
  primary key (meeting_id, email_key)
);
alter table account add column reply_generation integer not null default 0;

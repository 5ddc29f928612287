-- What the bell of a person's pages shows: rows of the last 30 days, made from events when these are published.
create table notification (
  id uuid primary key default gen_random_uuid(),
  number bigint not null generated always as identity,
  account_id uuid not null references account (id),
  kind text not null,
  occurred_at timestamptz not null,
  meeting_id uuid,
  app_id uuid,
  -- Whether the account is told as the owner of an address, which only a trusted address may read.
  by_address boolean not null,
  data jsonb not null,
  read_at timestamptz
);
create index notification_of_account on notification (account_id, number desc);
create index notification_by_age on notification (occurred_at);

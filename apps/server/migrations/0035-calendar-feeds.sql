-- The private address of a person's calendar; of its secret only the SHA-256 is kept.
create table calendar_feed (
  account_id uuid primary key references account,
  secret_hash bytea not null unique,
  created_at timestamptz not null
);

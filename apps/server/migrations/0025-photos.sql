-- Photos of people. `account.photo` names a photo where an account is read; its bytes stand apart, because they are read
-- only to be served.
alter table account add column photo jsonb;
create table account_photo (
  -- Random, and a part of the address: the address cannot be derived from the image.
  id text primary key,
  account_id uuid not null unique references account (id),
  media_type text not null,
  bytes bytea not null,
  created_at timestamptz not null
);

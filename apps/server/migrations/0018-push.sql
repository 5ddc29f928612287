-- The private key by which push services recognise this service (RFC 8292), encrypted: made when it is first needed.
create table push_key (
  singleton boolean primary key default true check (singleton),
  encrypted_private_key bytea not null
);

-- Browsers to which notifications of their person are pushed: at most one of a session, with which it ends.
create table push_subscription (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null unique references session on delete cascade,
  account_id uuid not null references account,
  -- SHA-256 of the address at the push service. A browser has one address, whoever is signed in there.
  endpoint_hash bytea not null unique,
  -- The host of that address. The address itself lets anybody send, so it is encrypted with the keys of the messages.
  service text not null,
  encrypted_receiver bytea not null,
  language text not null,
  created_at timestamptz not null,
  -- How many messages in a row could not be handed over.
  failures integer not null default 0
);
create index push_subscription_by_account on push_subscription (account_id, created_at);

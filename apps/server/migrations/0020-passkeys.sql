-- Passkeys (WebAuthn): of each, the public key that its signatures are checked with.
create table passkey (
  id uuid primary key,
  account_id uuid not null references account,
  credential_id bytea not null unique,
  -- COSE (RFC 9052).
  public_key bytea not null,
  -- As the authenticator last said it; 0 where it keeps none.
  counter bigint not null,
  transports text[] not null,
  synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- When its counter went back: there is a copy of it, so it opens nothing from then on.
  suspected_at timestamptz
);

create index passkey_by_account on passkey (account_id, id);

-- What an authenticator is asked to sign, once: of the challenge only the SHA-256 is kept.
create table passkey_challenge (
  challenge_hash bytea primary key,
  -- Who adds a passkey; null where somebody signs in.
  session_id uuid,
  expires_at timestamptz not null
);

create index passkey_challenge_by_expiry on passkey_challenge (expires_at);

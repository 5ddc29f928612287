-- Who signs in with the organisation's provider alone has no password here.
alter table account alter column password_hash drop not null;

-- Whom the organisation's own OpenID provider calls what: an account may have one name there.
create table provider_identity (
  issuer text not null,
  subject text not null,
  account_id uuid not null references account,
  created_at timestamptz not null,
  primary key (issuer, subject)
);

create index provider_identity_by_account on provider_identity (account_id);

-- A sign-in that waits for its browser to come back from the provider.
create table provider_sign_in (
  -- SHA-256 of the state in the address, and of the cookie of the browser that began it.
  state_hash bytea primary key,
  browser_hash bytea not null,
  -- Nonce and code verifier, encrypted.
  sealed_secrets bytea not null,
  return_to text not null,
  expires_at timestamptz not null
);

create index provider_sign_in_by_expiry on provider_sign_in (expires_at);

-- Who is signed in. A session that ends is deleted; of its token only the SHA-256 is kept.
create table session (
  id uuid primary key,
  account_id uuid not null references account,
  token_hash bytea not null unique,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);

create index session_by_account on session (account_id, id);
create index session_by_expiry on session (expires_at);

-- Personal access tokens, for scripts.
create table personal_token (
  id uuid primary key,
  account_id uuid not null references account,
  token_hash bytea not null unique,
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz
);

create index personal_token_by_account on personal_token (account_id, id);

-- A sign-up whose address is still to be confirmed. Also made when the address has an account, so that both take the
-- same time; nobody has the token then.
create table pending_sign_up (
  token_hash bytea primary key,
  account_id uuid not null,
  email text not null,
  email_key text not null,
  password_hash text not null,
  name text not null,
  lname text not null,
  time_zone text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index pending_sign_up_by_address on pending_sign_up (email_key, created_at);
create index pending_sign_up_by_expiry on pending_sign_up (expires_at);

-- Links mailed to the address of an account: to confirm it, or to choose a new password.
create table mailed_link (
  token_hash bytea primary key,
  account_id uuid not null references account,
  purpose text not null check (purpose in ('verify-email', 'reset-password')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index mailed_link_by_account on mailed_link (account_id);
create index mailed_link_by_expiry on mailed_link (expires_at);

-- Invitations to sign up, mailed by administrators.
create table sign_up_invitation (
  token_hash bytea primary key,
  email_key text not null,
  invited_by uuid not null references account,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index sign_up_invitation_by_expiry on sign_up_invitation (expires_at);

-- The networks that an account has signed in from, as keyed hashes: failures elsewhere do not lock its owner out.
create table known_network (
  account_id uuid not null references account,
  network_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (account_id, network_hash)
);

create index known_network_by_age on known_network (last_used_at);

-- How often something was tried, where several instances have to agree: rate-limiter-flexible's own form.
create table attempt_count (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

create index attempt_count_by_expiry on attempt_count (expire);

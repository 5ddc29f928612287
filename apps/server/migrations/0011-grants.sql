-- What a user lets an app do. One row lives at a time for a user, an app and its sandbox or real side; the ended stay as history.
create table app_grant (
  id uuid primary key,
  account_id uuid not null references account,
  app_id uuid not null references app,
  sandbox boolean not null,
  scopes text[] not null,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  last_used_at timestamptz,
  -- Refreshing goes on until here at the most (oauth.md 3.6; 7 days in the sandbox).
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_because text
);

create unique index app_grant_live on app_grant (account_id, app_id, sandbox) where revoked_at is null;
create index app_grant_by_app on app_grant (app_id) where revoked_at is null;

-- A request at the authorization endpoint, kept here while its user signs in and consents.
create table authorization_request (
  id_hash bytea primary key,
  -- The app is looked up anew at every step: what has been suspended meanwhile gets no further.
  client_id text not null,
  redirect_uri text not null,
  scopes text[] not null,
  -- Bytes, because it goes back exactly as it came.
  state bytea,
  code_challenge text,
  prompts text[] not null,
  login_hint text,
  -- Who has signed in, or chosen their account, for this very request.
  account_id uuid references account,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index authorization_request_by_age on authorization_request (expires_at);

create table authorization_code (
  code_hash bytea primary key,
  grant_id uuid not null references app_grant,
  -- The family that its exchange begins.
  family_id uuid not null,
  redirect_uri text not null,
  scopes text[] not null,
  code_challenge text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
) with (fillfactor = 80);

create index authorization_code_by_age on authorization_code (expires_at);

-- All that came from one code. It ends as a whole, by this one row, when one of its tokens is used twice: a token that is
-- being made at that moment is dead as well.
create table token_family (
  id uuid primary key,
  grant_id uuid not null references app_grant,
  -- When the user was there: the moment of the code, not of its exchange.
  created_at timestamptz not null,
  ended_at timestamptz,
  ended_because text
);

-- Tokens have no foreign keys: the statements that insert them have just read the family, and a key's check would write to
-- the family's row with each refresh. As with codes, what is updated later finds room on its page, so that no index is
-- written again.
create table refresh_token (
  token_hash bytea primary key,
  family_id uuid not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When it was exchanged; its successor is derived from it, and the same exchange within a minute answers the same again.
  rotated_at timestamptz
) with (fillfactor = 70);

create index refresh_token_by_age on refresh_token (expires_at);

-- One that is revoked on its own is deleted.
create table access_token (
  token_hash bytea primary key,
  family_id uuid not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index access_token_by_age on access_token (expires_at);

-- Families that began until then are dead: the account was disabled, or changed its password and signed out everywhere.
alter table account add column app_tokens_ended_at timestamptz;

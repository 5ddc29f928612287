-- An account asks for OAuth (Beta); an administrator answers by enabling it.
create table oauth_access_request (
  account_id uuid primary key references account,
  reason text not null,
  created_at timestamptz not null
);

-- An app of a third party. What it says of itself stands in its revisions.
create table app (
  id uuid primary key,
  owner_id uuid not null references account,
  status text not null check (status in ('draft', 'under_review', 'approved', 'rejected', 'on_hold', 'suspended')),
  -- The status before it was suspended, to go back to.
  status_before text,
  -- Issued with the first approval; the sandbox's from the start.
  client_id text unique,
  sandbox_client_id text not null unique,
  -- Revision numbers; live is what users meet, draft is what is not live yet.
  live_revision integer,
  draft_revision integer,
  -- The first submission makes the sandbox usable.
  submitted_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null
);

create index app_by_owner on app (owner_id, id) where deleted_at is null;

create table app_revision (
  app_id uuid not null references app,
  number integer not null,
  name text not null,
  -- The name without what looks alike, so that no two apps can be taken for one another.
  name_key text not null,
  homepage_url text not null,
  policy_url text not null,
  logo_url text not null,
  use_case text not null,
  description text not null,
  callback_urls text[] not null,
  scopes text[] not null,
  require_pkce boolean not null,
  send_iss boolean not null,
  submitted_at timestamptz,
  created_at timestamptz not null,
  primary key (app_id, number)
);

create index app_revision_by_name on app_revision (name_key);
create index app_revision_waiting on app_revision (submitted_at, app_id) where submitted_at is not null;

-- The picture of a revision, fetched by us once and served from our origin.
create table app_logo (
  app_id uuid not null,
  revision integer not null,
  media_type text not null,
  bytes bytea not null,
  primary key (app_id, revision),
  foreign key (app_id, revision) references app_revision
);

-- What the pre-checks found of a revision.
create table app_check (
  app_id uuid not null,
  revision integer not null,
  position integer not null,
  "check" text not null,
  field text not null,
  result text not null check (result in ('passed', 'noted', 'failed')),
  message text not null,
  primary key (app_id, revision, position),
  foreign key (app_id, revision) references app_revision
);

-- Submissions and decisions, in order; never updated.
create table app_review (
  id uuid primary key,
  app_id uuid not null references app,
  revision integer not null,
  decision text not null,
  reasons jsonb not null,
  decided_by uuid not null references account,
  created_at timestamptz not null
);

create index app_review_by_app on app_review (app_id, id);
create index app_review_by_person on app_review (decided_by, created_at);

create table app_secret (
  id uuid primary key,
  app_id uuid not null references app,
  name text not null,
  sandbox boolean not null,
  secret_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  retired_at timestamptz
);

create index app_secret_by_app on app_secret (app_id) where retired_at is null;

create table app_tester (
  app_id uuid not null references app,
  email_key text not null,
  email text not null,
  primary key (app_id, email_key)
);

-- What its developer reads: exact causes, which the answers on the wire do not give.
create table app_event (
  id uuid primary key,
  app_id uuid not null references app,
  kind text not null,
  cause text not null,
  sandbox boolean not null,
  request_id text not null,
  created_at timestamptz not null
);

create index app_event_by_app on app_event (app_id, id);
create index app_event_by_age on app_event (created_at);

alter table meeting add column app_id uuid references app;

create table tenant (
  id uuid primary key,
  name text not null unique,
  created_at timestamptz not null
);

create table account (
  id uuid primary key,
  tenant_id uuid not null references tenant,
  email text not null,
  -- The lower-cased address: what sign-in and invitations compare by.
  email_key text not null unique,
  email_verified_at timestamptz,
  password_hash text not null,
  password_changed_at timestamptz,
  name text not null,
  lname text not null,
  phone_no text not null default '',
  time_zone text not null default '',
  department text not null default '',
  location text not null default '',
  avatar integer not null default 0,
  settings jsonb not null,
  school_data jsonb not null,
  -- The person's own room: its id, its permanent code, and (sealed) its PIN and the chat key.
  room_id uuid not null unique,
  room_code text not null unique,
  sealed_secrets bytea not null,
  chat_id uuid not null,
  chat_user_id uuid not null,
  administrator boolean not null default false,
  reviewer boolean not null default false,
  oauth_enabled boolean not null default false,
  disabled_at timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null
);

-- Listing an organisation's accounts, the oldest first: ids are time-ordered.
create index account_by_tenant on account (tenant_id, id);

-- Who changed what about whom. Written in the change's own transaction, never updated.
create table audit_entry (
  id uuid primary key,
  tenant_id uuid not null references tenant,
  actor_id uuid references account,
  subject_id uuid,
  action text not null,
  detail jsonb not null,
  address text not null,
  created_at timestamptz not null
);

create index audit_entry_by_tenant on audit_entry (tenant_id, id);

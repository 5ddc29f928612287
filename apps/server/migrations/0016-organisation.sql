-- Name, colour and logos that the pages and mails of an organisation have. `brand` describes the logos; their bytes stand apart,
-- because they are read only to be served.
alter table tenant add column brand jsonb not null default '{}';
create table tenant_logo (
  tenant_id uuid not null references tenant (id),
  ground text not null check (ground in ('light', 'dark')),
  -- SHA-256 of the bytes, in base64url: a part of the address.
  digest text not null,
  media_type text not null,
  bytes bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, ground)
);
create index tenant_logo_by_digest on tenant_logo (digest);

-- Clients that no developer has registered in the portal have neither an owner nor a sandbox. A `metadata_document` client
-- is named by the URL of its document, a `dynamic` one has registered itself (docs/decisions/0155 and 0156).
alter table app alter column owner_id drop not null;
alter table app alter column sandbox_client_id drop not null;
alter table app add column registration text not null default 'portal'
  check (registration in ('portal', 'metadata_document', 'dynamic'));
alter table app add constraint app_owner_check check (
  (registration = 'portal') = (owner_id is not null) and (owner_id is null) = (sandbox_client_id is null));
-- AGENT_CLIENTS approved the live revision, not a reviewer.
alter table app add column live_by_configuration boolean not null default false;
-- Null where no person decided: the document has changed, or AGENT_CLIENTS approved it.
alter table app_review alter column decided_by drop not null;
-- The newest valid copy of each document, as it was served, and the last failure since.
create table client_metadata_document (
  app_id uuid primary key references app (id),
  body text not null,
  etag text,
  fetched_at timestamptz not null,
  fresh_until timestamptz not null,
  failed_at timestamptz,
  failure text
);

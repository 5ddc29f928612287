-- What the consent page says of an app's owner is part of what was reviewed. Null: of a revision from before this migration
-- was known to the instance that wrote it; the account's own name stands in for it.
alter table app_revision
  add column owner_name text,
  add column owner_organisation text,
  -- All that the name may be taken for (look-alike-names.ts), and by which version of that rule; 0 is none yet.
  add column name_keys text[] not null default '{}',
  add column name_keys_version integer not null default 0;

update app_revision r set
  owner_name = trim(a.name || ' ' || a.lname),
  -- An organisation other than the default one is one that the operator has mapped.
  owner_organisation = case when t.name <> 'Default' and a.email_verified_at is not null then t.name end
from app p join account a on a.id = p.owner_id join tenant t on t.id = a.tenant_id
where p.id = r.app_id;

create index app_revision_by_name_keys on app_revision using gin (name_keys);

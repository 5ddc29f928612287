-- What the new meetings of a person begin with in the pages; a name that is absent has the value of a new account.
alter table account add column meeting_defaults jsonb not null default '{}';

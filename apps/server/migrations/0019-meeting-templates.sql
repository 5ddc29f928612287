-- What a person's meetings have in common, without their times, to start new ones from.
create table meeting_template (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  name text not null,
  content jsonb not null,
  created_at timestamptz not null,
  modified_at timestamptz not null
);

create index meeting_template_by_account on meeting_template (account_id, id);

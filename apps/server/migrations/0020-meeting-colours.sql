-- The colour that a person has chosen for a meeting in the pages.
create table meeting_colour (
  account_id uuid not null references account on delete cascade,
  meeting_id uuid not null references meeting on delete cascade,
  colour text not null,
  primary key (account_id, meeting_id)
);
create index meeting_colour_of_meeting on meeting_colour (meeting_id);

-- The meeting whose id decides the colour where nobody has chosen one: the first part of a series that was split.
alter table meeting add column colour_seed uuid;
with recursive part (id, seed) as (
  select m.id, m.id from meeting m
  where m.continues is null and exists (select from meeting next where next.continues = m.id)
  union all
  select next.id, part.seed from part join meeting next on next.continues = part.id
)
update meeting m set colour_seed = part.seed from part where m.id = part.id and m.id <> part.seed;

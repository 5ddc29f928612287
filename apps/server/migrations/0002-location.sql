-- Where a meeting, or one date of it, takes place. An earlier release that is still running inserts rows without it.
alter table meeting add column location text not null default '';
alter table changed_occurrence add column location text;
-- A date may differ in its location alone.
alter table changed_occurrence drop constraint changed_occurrence_check2;
alter table changed_occurrence add constraint changed_occurrence_differs
  check (num_nonnulls(starts_at, topic, description, location) > 0);

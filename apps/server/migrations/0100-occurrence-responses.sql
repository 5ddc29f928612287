-- Responses to one occurrence of a series, which its original start names (RFC 5545, 3.8.4.4). They go with their
-- participant, also where an instance of the previous release removes it.
create table occurrence_response (
  meeting_id uuid not null,
  email_key text not null,
  original_start timestamptz not null,
  response text not null check (response in ('accepted', 'tentative', 'declined')),
  responded_at timestamptz not null,
  primary key (meeting_id, email_key, original_start),
  foreign key (meeting_id, email_key) references participant on delete cascade
);
create index occurrence_response_by_start on occurrence_response (meeting_id, original_start);
-- Occurrences that were moved, so that their guests are asked again: responses to the series from before `asked_at` do
-- not count for them, nor do replies of calendar programs to a SEQUENCE before `asked_sequence`.
create table asked_occurrence (
  meeting_id uuid not null references meeting on delete cascade,
  original_start timestamptz not null,
  asked_at timestamptz not null,
  asked_sequence integer not null,
  primary key (meeting_id, original_start)
);

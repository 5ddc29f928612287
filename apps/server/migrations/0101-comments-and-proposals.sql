-- What guests wrote with their responses in calendar programs (RFC 5545, COMMENT), for the host.
alter table participant add column response_comment text;
alter table occurrence_response add column comment text;
-- Times that guests propose instead (RFC 5546, COUNTER), at most one of each guest for the meeting (`original_start` is
-- null) and for each of its occurrences. A dismissed one is kept, so that the same mail does not bring it back.
create table time_proposal (
  id uuid primary key,
  meeting_id uuid not null,
  email_key text not null,
  original_start timestamptz,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  comment text,
  proposed_at timestamptz not null,
  dismissed_at timestamptz,
  check (ends_at > starts_at),
  foreign key (meeting_id, email_key) references participant on delete cascade
);
create unique index time_proposal_of_guest on time_proposal
  (meeting_id, email_key, coalesce(original_start, '-infinity'));

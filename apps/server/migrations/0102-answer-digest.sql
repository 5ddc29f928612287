-- When an answer was recorded, by the clock of this service; the digest lists what came since the last one.
alter table participant add column response_recorded_at timestamptz;
alter table occurrence_response add column recorded_at timestamptz;
alter table time_proposal add column recorded_at timestamptz;
-- The next daily digest of the answers to an account's meetings, while `answerDigest` of its settings is on.
create table answer_digest (
  account_id uuid primary key references account on delete cascade,
  -- The time zone of the profile from which `due_at` was computed.
  time_zone text not null,
  due_at timestamptz not null,
  -- Answers recorded until then were in earlier digests.
  reported_until timestamptz not null
);
create index answer_digest_by_due on answer_digest (due_at);
create index account_with_digest on account (id) where settings @> '{"answerDigest": true}';

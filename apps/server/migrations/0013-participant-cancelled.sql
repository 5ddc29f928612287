-- Whether the meeting is cancelled stands with each of its people, so that a person's list and its count are read from
-- one index, however many invitations they have.
alter table participant add column meeting_cancelled boolean not null default false;

update participant set meeting_cancelled = true
from meeting where meeting.id = participant.meeting_id and meeting.cancelled_at is not null;

drop index participant_by_address;
create index participant_by_address on participant (email_key, starts_at, meeting_id) include (meeting_cancelled);

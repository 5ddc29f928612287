-- Lists look for the series of a person apart from what takes place once: a series stands at its next occurrence, which
-- only its rule knows. Whoever has a hundred thousand meetings over, or invitations, has few series that are not.
alter table participant add column meeting_recurring boolean not null default false;

update participant set meeting_recurring = true
from meeting where meeting.id = participant.meeting_id and meeting.recurring;

create index series_by_address on participant (email_key, meeting_id) where meeting_recurring;

create index series_by_host_and_end on meeting (host_id, over_at) where recurring;

-- The row of a deleted account stays: the audit log, reviews and meetings of others refer to its id. It is disabled at once;
-- its name and address go when the cancellations of its meetings, which calendars know by them, have been mailed.
alter table account add column deleted_at timestamptz;
-- Whether its meetings ahead go to their first cohost, where they have one.
alter table account add column hands_over_meetings boolean not null default false;
alter table account add column erased_at timestamptz;

create index account_to_erase on account (deleted_at) where deleted_at is not null and erased_at is null;

-- What is older than the retention settings is looked for once an hour.
create index room_session_by_end on room_session (ended_at) where ended_at is not null;

-- Who invited a guest, and pays for their reminders; null for rows of before: the host.
alter table guest_delivery add column invited_by uuid;
-- A queued reminder counts for the account that pays from the moment it is queued, as a pending change does.
alter table guest_delivery add column reminder_sender_id uuid;
alter table guest_delivery add column reminder_wanted_at timestamptz;

create index guest_delivery_by_reminder_sender on guest_delivery (reminder_sender_id, reminder_wanted_at)
  where reminder_for is not null and reminder_id is null;

-- When a message to a guest was written, which names its change: a cancellation that is restored takes its own message back,
-- and no other.
alter table guest_delivery add column message_at timestamptz;

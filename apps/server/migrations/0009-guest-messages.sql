-- What the host writes to a guest with a change or a cancellation: kept until the mail that carries it was sent or is
-- not needed any more.
alter table guest_delivery add column message text;
alter table guest_delivery add column message_by uuid references account (id);

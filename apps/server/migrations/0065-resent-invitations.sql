-- The host has asked for the invitation to be sent once more, although the guest holds what is true.
alter table guest_delivery add column resend boolean not null default false;

-- A host asks those who have not answered: when a person was asked last, and whether the mail that is resent asks.
alter table participant add column asked_at timestamptz;
alter table guest_delivery add column asks boolean not null default false;

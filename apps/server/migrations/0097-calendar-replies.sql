-- The address that takes the answers of calendar programs, which ORGANIZER names. Null: the host's own, as in all
-- meetings so far, because calendar programs refuse an organizer that changes (RFC 5546, 3.2.2.6).
alter table meeting add column reply_address text;
-- The SEQUENCE at which the guests were last asked. An answer to a lower one is about another time.
alter table meeting add column asked_sequence integer not null default 0;
-- When the response was given: mails can arrive in another order.
alter table participant add column responded_at timestamptz;

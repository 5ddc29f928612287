-- Secrets that were encrypted before they were bound to their meeting: a job encrypts them anew (docs/decisions/0050).
create index meeting_secrets_unbound on meeting (id) where get_byte(sealed_secrets, 0) = 1;

-- The first answer to a request that may be repeated (Idempotency-Key); kept for 24 hours.
create table idempotency_key (
  account_id uuid not null references account,
  endpoint text not null,
  key text not null,
  request_hash bytea not null,
  -- Encrypted: answers hold PINs.
  sealed_answer bytea not null,
  created_at timestamptz not null,
  primary key (account_id, endpoint, key)
);

create index idempotency_key_by_age on idempotency_key (created_at);

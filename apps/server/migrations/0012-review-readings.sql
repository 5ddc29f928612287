-- What a reviewer has read of an app last: they approve that and nothing else.
create table review_reading (
  app_id uuid not null references app,
  reviewer_id uuid not null references account,
  -- The revision, and the SHA-256 of its picture.
  revision integer not null,
  logo_hash bytea,
  read_at timestamptz not null,
  primary key (app_id, reviewer_id)
);

-- A meeting of a closed account, offered to a cohost. The account that is closed stays its host until one accepts.
create table hand_over (
  meeting_id uuid not null references meeting on delete cascade,
  account_id uuid not null references account,
  offered_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the cohost was mailed; one mail tells of all meetings that an account offers.
  mailed_at timestamptz,
  declined_at timestamptz,
  primary key (meeting_id, account_id)
);
create index hand_over_by_account on hand_over (account_id, expires_at);

-- People who were put on a meeting without an email: they count with the invitations of the account for a day.
create table quiet_invitation (
  account_id uuid not null references account (id) on delete cascade,
  invited_at timestamptz not null,
  people integer not null
);
create index quiet_invitation_by_account on quiet_invitation (account_id, invited_at);

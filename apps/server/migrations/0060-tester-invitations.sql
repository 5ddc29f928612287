-- A tester accepts before an app's sandbox works with their account. Rows stay for a while after a tester was removed, so
-- that inviting and removing the same address again and again does not mail it each time.
alter table app_tester
  add column state text not null default 'pending' check (state in ('pending', 'accepted', 'declined')),
  add column invited_at timestamptz not null default now(),
  add column mailed_at timestamptz,
  add column answered_at timestamptz,
  add column removed_at timestamptz;

-- Whoever lets an app's sandbox act for them now has said yes to more than testing it. Everybody else is asked.
update app_tester t set state = 'accepted', answered_at = g.created_at
from app_grant g join account a on a.id = g.account_id
where g.app_id = t.app_id and a.email_key = t.email_key and g.sandbox and g.revoked_at is null;

create index app_tester_by_address on app_tester (email_key) where removed_at is null;
create index app_tester_removed on app_tester (removed_at) where removed_at is not null;

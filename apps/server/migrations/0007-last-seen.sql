-- When a person last used the service, to the hour, for administrators who look for accounts that nobody uses.
alter table account add column last_seen_at timestamptz;
update account a set last_seen_at = (select max(s.last_used_at) from session s where s.account_id = a.id);

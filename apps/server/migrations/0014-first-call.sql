-- When a call first took place in a room of the organisation. Admissions, which say the same, are deleted in time.
alter table tenant add column first_call_at timestamptz;
update tenant t set first_call_at = (
  select min(d.entered_at) from admission d join account a on a.id = d.account_id where a.tenant_id = t.id
);

-- The cancelled meetings of a host, in the order of their list: they are few, and a search reads all of them.
create index cancelled_by_host on meeting (host_id, last_starts_at, id) where cancelled_at is not null;

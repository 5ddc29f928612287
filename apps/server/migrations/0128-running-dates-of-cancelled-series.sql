-- A series that is cancelled while a date is running is listed as active until that date ends. Counting a person's
-- meetings needs the few of them without reading all series that the person hosts.
create index cancelled_series_by_host on meeting (host_id, over_at) where recurring and cancelled_at is not null;

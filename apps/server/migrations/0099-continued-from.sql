-- The original start, in the series that a meeting continues, from which it does: the guests of both are told that date.
alter table meeting add column continued_from timestamptz;

-- How a person reads times and weeks; empty: as usual in the language and region of the pages.
alter table account add column hour_cycle text not null default ''
  constraint account_hour_cycle_check check (hour_cycle in ('', 'h12', 'h23'));
alter table account add column first_day_of_week text not null default ''
  constraint account_first_day_of_week_check check (first_day_of_week in ('', 'mon', 'sat', 'sun'));

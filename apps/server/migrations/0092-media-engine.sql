-- Where the one embedded media engine of several instances runs. Valid while its instance holds the advisory lock
-- (rooms/shared-engine.ts); an empty address: it is not up, and was ended in order.
create table media_engine (
  singleton boolean primary key default true check (singleton),
  address text not null,
  machine text not null
);

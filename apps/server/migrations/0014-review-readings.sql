-- What a reviewer has read of an app last: they approve that and nothing else.
create table review_reading (
  app_id uuid not null references app,
  reviewer_id uuid not null references account,
  -- The revision, and the SHA-256 of its picture.
  revision integer not null,
  logo_hash bytea,
  read_at timestamptz not null,
  primary key (app_id, reviewer_id)
);

-- A grant holds no scope that its app has given up: a scope that comes back later is asked for again.
update app_grant g set scopes = array(
    select scope from unnest(g.scopes) with ordinality as granted (scope, place) where scope = any(v.scopes) order by place)
from app p join app_revision v on v.app_id = p.id
where p.id = g.app_id and not g.scopes <@ v.scopes
  and v.number = case when g.sandbox then coalesce(p.draft_revision, p.live_revision) else p.live_revision end;

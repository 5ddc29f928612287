-- Where events are sent (docs/webhooks.md).
create table webhook (
  id uuid primary key,
  -- person: events of the account; app: of the people who granted the app; grant: of one grant, which it ends with;
  -- organisation: of all accounts of the tenant, for an administrator.
  owner text not null check (owner in ('person', 'app', 'grant', 'organisation')),
  -- Who made it, and is emailed when it fails.
  account_id uuid not null references account on delete cascade,
  app_id uuid references app on delete cascade,
  sandbox boolean not null default false,
  grant_id uuid references app_grant on delete cascade,
  url text not null,
  -- Empty: every type that the owner may read.
  types text[] not null,
  payload text not null check (payload in ('thin', 'full')),
  description text not null,
  encrypted_secret bytea not null,
  -- Signs beside the present one until then.
  encrypted_previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  -- The first refusal since the last success; null while events are taken.
  failing_since timestamptz,
  last_success_at timestamptz,
  -- When the owner was emailed that it has failed for a day.
  warned_at timestamptz,
  disabled_at timestamptz,
  disabled_because text check (disabled_because in ('owner', 'gone', 'no_success')),
  -- When it is next asked whether it is back; null where it is not.
  next_probe_at timestamptz,
  check ((owner in ('app', 'grant')) = (app_id is not null)),
  check ((owner = 'grant') = (grant_id is not null)),
  check ((disabled_at is null) = (disabled_because is null))
);
create index webhook_by_account on webhook (account_id);
create index webhook_by_app on webhook (app_id) where app_id is not null;
create index webhook_by_grant on webhook (grant_id) where grant_id is not null;
create index webhook_of_organisations on webhook (id) where owner = 'organisation';
create index webhook_failing on webhook (failing_since) where failing_since is not null;
create index webhook_to_probe on webhook (next_probe_at) where next_probe_at is not null;

-- One event for one webhook.
create table webhook_delivery (
  webhook_id uuid not null references webhook on delete cascade,
  event_id uuid not null references event on delete cascade,
  -- The queue that it waits in: that of its subject, or after six refusals one of its own, by the event's id.
  lane uuid not null,
  position bigint not null,
  state text not null check (state in ('waiting', 'delivered', 'failed', 'withheld')),
  attempts integer not null default 0,
  -- Of these, those before it was last sent again by a request: the waits between attempts then start anew.
  attempts_before_resend integer not null default 0,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_status integer,
  primary key (webhook_id, event_id)
);
create index webhook_delivery_waiting on webhook_delivery (webhook_id, lane, position) where state = 'waiting';
create index webhook_delivery_by_position on webhook_delivery (webhook_id, position desc);
create index webhook_delivery_failed on webhook_delivery (webhook_id, position desc) where state = 'failed';
create index webhook_delivery_by_event on webhook_delivery (event_id);

-- A queue of a webhook that holds at least one waiting delivery: they leave in order of their positions. Adding or
-- finishing a delivery locks the row first.
create table webhook_lane (
  webhook_id uuid not null references webhook on delete cascade,
  lane uuid not null,
  -- While an attempt is under way: when another instance may assume that it has died.
  next_attempt_at timestamptz not null,
  primary key (webhook_id, lane)
) with (fillfactor = 80);
create index webhook_lane_by_time on webhook_lane (webhook_id, next_attempt_at);

create table webhook_attempt (
  webhook_id uuid not null references webhook on delete cascade,
  event_id uuid not null references event on delete cascade,
  number integer not null,
  attempted_at timestamptz not null,
  duration_ms integer not null,
  status integer,
  -- Why there was no response; a code of the guarded fetch.
  error text,
  request_headers jsonb not null,
  request_body text not null,
  response_headers jsonb,
  response_body text,
  primary key (webhook_id, event_id, number)
);
create index webhook_attempt_by_age on webhook_attempt (attempted_at);
create index webhook_attempt_by_event on webhook_attempt (event_id);

-- A webhook ends with the token that made it (docs/decisions/0145-webhooks.md, "Webhooks end with their token").
-- The personal token that made it; null for a session and an app. It stays when the token is deleted, and refers to
-- nothing then.
alter table webhook add column personal_token_id uuid;
alter table webhook add check (personal_token_id is null or owner = 'person');
create index webhook_by_personal_token on webhook (personal_token_id) where personal_token_id is not null;
-- When the app had revoked the last of its tokens: webhooks that they made before end.
alter table app_grant add column tokens_ended_at timestamptz;
create index token_family_by_grant on token_family (grant_id);
alter table webhook drop constraint webhook_disabled_because_check;
alter table webhook add constraint webhook_disabled_because_check
  check (disabled_because in ('owner', 'signed_out', 'gone', 'no_success'));
-- They were queued for webhooks that had no right to the events.
delete from webhook_delivery where state = 'withheld';

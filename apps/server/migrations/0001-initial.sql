-- The schema of version 1.0.0. A migration that has landed never changes: a change to the schema is a new file
-- (docs/operations.md, "Upgrade"). schema.sql is the result of all migrations.

-- === Accounts ===

-- An organisation.
create table tenant (
  id uuid primary key,
  name text not null unique,
  created_at timestamptz not null
);

create table account (
  id uuid primary key,
  tenant_id uuid not null references tenant,
  email text not null,
  -- The address in lower case, by which sign-in and invitations compare it.
  email_key text not null unique,
  email_verified_at timestamptz,
  -- Null for people who sign in with a provider or a passkey only.
  password_hash text,
  password_changed_at timestamptz,
  name text not null,
  lname text not null,
  phone_no text not null default '',
  time_zone text not null default '',
  department text not null default '',
  location text not null default '',
  avatar integer not null default 0,
  settings jsonb not null,
  school_data jsonb not null,
  -- The person's own room: its id, its permanent code, and its PIN and chat key, encrypted.
  room_id uuid not null unique,
  room_code text not null unique,
  sealed_secrets bytea not null,
  chat_id uuid not null,
  chat_user_id uuid not null,
  administrator boolean not null default false,
  reviewer boolean not null default false,
  oauth_enabled boolean not null default false,
  disabled_at timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  -- Token families from before this time are dead: the account was disabled, or its password was changed and all
  -- devices were signed out.
  app_tokens_ended_at timestamptz,
  -- The language of emails to this person; empty if it was never chosen.
  language text not null default '',
  -- When the owner or an administrator deleted the account. The row stays, because the audit log, reviews and meetings
  -- of other people refer to its id (docs/decisions/0089).
  deleted_at timestamptz,
  -- Whether the upcoming meetings of a deleted account are offered to their cohosts.
  hands_over_meetings boolean not null default false,
  -- When everything but the ids was erased: after the cancellations of its meetings were mailed, which need its name
  -- and address.
  erased_at timestamptz,
  -- Reply addresses of an earlier generation are no longer valid, in all meetings of the account (docs/decisions/0161).
  reply_generation integer not null default 0
);
-- Lists the accounts of an organisation, the oldest first: ids are in order of time.
create index account_by_tenant on account (tenant_id, id);
-- Finds the deleted accounts that the hourly job has yet to erase.
create index account_to_erase on account (deleted_at) where deleted_at is not null and erased_at is null;
-- Finds the accounts that want a daily digest of answers.
create index account_with_digest on account (id) where settings @> '{"answerDigest": true}';

-- Sessions of signed-in people. A session that ends is deleted. Of its token, only the SHA-256 is stored.
create table session (
  id uuid primary key,
  account_id uuid not null references account,
  token_hash bytea not null unique,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create index session_by_account on session (account_id, id);
create index session_by_expiry on session (expires_at);

-- Networks that an account has signed in from, as keyed hashes: failed attempts from other networks do not lock the
-- owner out.
create table known_network (
  account_id uuid not null references account,
  network_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (account_id, network_hash)
);
create index known_network_by_age on known_network (last_used_at);

-- Personal access tokens, for scripts.
create table personal_token (
  id uuid primary key,
  account_id uuid not null references account,
  token_hash bytea not null unique,
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz
);
create index personal_token_by_account on personal_token (account_id, id);

-- Passkeys (WebAuthn).
create table passkey (
  id uuid primary key,
  account_id uuid not null references account,
  credential_id bytea not null unique,
  -- In the form of COSE (RFC 9052).
  public_key bytea not null,
  -- The authenticator's last value; 0 if it keeps none.
  counter bigint not null,
  transports text[] not null,
  synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- When the counter went back. The authenticator was copied, so the passkey is no longer accepted.
  suspected_at timestamptz
);
create index passkey_by_account on passkey (account_id, id);

-- Challenges that an authenticator may sign once. Only the SHA-256 of a challenge is stored.
create table passkey_challenge (
  challenge_hash bytea primary key,
  -- The session that adds a passkey; null for a sign-in.
  session_id uuid,
  expires_at timestamptz not null
);
create index passkey_challenge_by_expiry on passkey_challenge (expires_at);

-- The name of an account at the organisation's OpenID provider; one at most.
create table provider_identity (
  issuer text not null,
  subject text not null,
  account_id uuid not null references account,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index provider_identity_by_account on provider_identity (account_id);

-- Sign-ins whose browser has yet to return from the OpenID provider.
create table provider_sign_in (
  -- SHA-256 of the state in the address, and of the cookie of the browser.
  state_hash bytea primary key,
  browser_hash bytea not null,
  -- Nonce and code verifier, encrypted.
  sealed_secrets bytea not null,
  return_to text not null,
  expires_at timestamptz not null
);
create index provider_sign_in_by_expiry on provider_sign_in (expires_at);

-- Sign-ups whose address is to be confirmed. A row is also written if the address has an account, so that both cases
-- take the same time; the token is not mailed then.
create table pending_sign_up (
  token_hash bytea primary key,
  account_id uuid not null,
  email text not null,
  email_key text not null,
  password_hash text not null,
  name text not null,
  lname text not null,
  time_zone text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  language text not null default '',
  -- Whether the sign-up may create the first account, the administrator's: it came from the machine itself, or with the
  -- set-up code (docs/operations.md, "The first account").
  may_be_first boolean not null default false
);
create index pending_sign_up_by_address on pending_sign_up (email_key, created_at);
create index pending_sign_up_by_expiry on pending_sign_up (expires_at);

-- Invitations to sign up.
create table sign_up_invitation (
  token_hash bytea primary key,
  email_key text not null,
  -- An administrator; null for the operator, who has no account.
  invited_by uuid references account,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Whether an administrator reads the link and passes it on, because no mail server is set up. Such a link does not
  -- prove that the address belongs to the person who signs up.
  link_shown boolean not null default false
);
create index sign_up_invitation_by_expiry on sign_up_invitation (expires_at);

-- Links mailed to the address of an account.
create table mailed_link (
  token_hash bytea primary key,
  account_id uuid not null references account,
  purpose text not null check (purpose in ('verify-email', 'reset-password')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index mailed_link_by_account on mailed_link (account_id);
create index mailed_link_by_expiry on mailed_link (expires_at);

-- Senders whose meetings are in no list of the person, and send the person no email.
create table blocked_sender (
  account_id uuid not null references account on delete cascade,
  sender_id uuid not null references account on delete cascade,
  blocked_at timestamptz not null,
  primary key (account_id, sender_id)
);
create index blocked_sender_by_sender on blocked_sender (sender_id);

-- === Requests, limits and the audit log ===

-- Each change, its actor and its subject. Written in the transaction of the change, and never updated.
create table audit_entry (
  id uuid primary key,
  tenant_id uuid not null references tenant,
  actor_id uuid references account,
  subject_id uuid,
  action text not null,
  detail jsonb not null,
  address text not null,
  created_at timestamptz not null
);
-- Lists a person's own security log, the newest entry first.
create index audit_entry_by_subject on audit_entry (subject_id, id);
create index audit_entry_by_tenant on audit_entry (tenant_id, id);
-- Finds old sign-ins, which are deleted before other entries (RETAIN_SIGN_INS_DAYS).
create index audit_entry_of_sign_ins on audit_entry (created_at)
  where action in ('session.begun', 'session.ended', 'sessions.ended', 'sign-in.refused');

-- Counts of attempts on which several instances have to agree. The columns are those of rate-limiter-flexible.
create table attempt_count (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index attempt_count_by_expiry on attempt_count (expire);

-- The first reply to a request with an Idempotency-Key, kept for 24 hours.
create table idempotency_key (
  account_id uuid not null references account,
  endpoint text not null,
  key text not null,
  request_hash bytea not null,
  -- Encrypted, because replies contain PINs.
  sealed_answer bytea not null,
  created_at timestamptz not null,
  primary key (account_id, endpoint, key)
);
create index idempotency_key_by_age on idempotency_key (created_at);

-- The bytes of replies that an account has stored within a day, for its quota.
create table idempotency_usage (
  account_id uuid primary key references account on delete cascade,
  since timestamptz not null,
  stored_bytes bigint not null
);

-- === OAuth apps ===

-- Requests for OAuth (Beta). An administrator enables it for the account, or declines; a declined request stays until
-- the person asks again, so that they can read the reason.
create table oauth_access_request (
  account_id uuid primary key references account,
  reason text not null,
  created_at timestamptz not null,
  declined_at timestamptz,
  decline_reason text not null default '',
  -- When administrators were mailed about the request, which limits those emails.
  notified_at timestamptz
);

-- Clients of OAuth. The texts of an app are in its revisions.
create table app (
  id uuid primary key,
  -- Null for clients that no developer has registered.
  owner_id uuid references account,
  status text not null check (status in ('draft', 'under_review', 'approved', 'rejected', 'on_hold', 'suspended')),
  -- The status to which the end of a suspension returns.
  status_before text,
  -- Issued with the first approval. The one of the sandbox exists from the start, and is null where the owner is.
  client_id text unique,
  sandbox_client_id text unique,
  -- Revision numbers: users see the live one; the draft is not live yet.
  live_revision integer,
  draft_revision integer,
  -- The first submission, which makes the sandbox usable.
  submitted_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  -- The developer's notes to the reviewers: why the app needs each scope, and how to test it.
  scope_reasons jsonb not null default '{}',
  review_notes text not null default '',
  -- RFC 6749, 2.1: `native` and `single_page` apps are public clients, which keep no secret. The first submission fixes
  -- the type, so that no client with secrets becomes public.
  client_type text not null default 'confidential' check (client_type in ('confidential', 'native', 'single_page')),
  -- `metadata_document`: the client id is the URL of its document. `dynamic`: the client registered itself
  -- (docs/decisions/0155 and 0156).
  registration text not null default 'portal' check (registration in ('portal', 'metadata_document', 'dynamic')),
  -- AGENT_CLIENTS approved the live revision, not a reviewer.
  live_by_configuration boolean not null default false,
  constraint app_owner_check
    check ((registration = 'portal') = (owner_id is not null) and (owner_id is null) = (sandbox_client_id is null))
);
create index app_by_owner on app (owner_id, id) where deleted_at is null;

create table app_revision (
  app_id uuid not null references app,
  number integer not null,
  name text not null,
  homepage_url text not null,
  policy_url text not null,
  logo_url text not null,
  use_case text not null,
  description text not null,
  callback_urls text[] not null,
  scopes text[] not null,
  require_pkce boolean not null,
  send_iss boolean not null,
  submitted_at timestamptz,
  created_at timestamptz not null,
  -- The owner as the consent page shows it, which is part of the review.
  owner_name text,
  owner_organisation text,
  -- The name in forms for comparison, as it is written first: names that share one may be mistaken for each other
  -- (look-alike-names.ts).
  name_keys text[] not null,
  primary key (app_id, number)
);
-- Finds apps whose names may be mistaken for each other.
create index app_revision_by_name_keys on app_revision using gin (name_keys);
-- Lists the revisions that wait for a review, the oldest first.
create index app_revision_waiting on app_revision (submitted_at, app_id) where submitted_at is not null;

-- The logo of a revision, fetched once and served from our own origin.
create table app_logo (
  app_id uuid not null,
  revision integer not null,
  media_type text not null,
  bytes bytea not null,
  primary key (app_id, revision),
  foreign key (app_id, revision) references app_revision
);

-- Results of the automatic checks of a revision.
create table app_check (
  app_id uuid not null,
  revision integer not null,
  position integer not null,
  "check" text not null,
  field text not null,
  -- `not_tried`: the page is on a host to which requests are denied.
  result text not null check (result in ('passed', 'noted', 'failed', 'not_tried')),
  message text not null,
  primary key (app_id, revision, position),
  foreign key (app_id, revision) references app_revision
);

-- Submissions and decisions, in order. Never updated.
create table app_review (
  id uuid primary key,
  app_id uuid not null references app,
  revision integer not null,
  decision text not null,
  reasons jsonb not null,
  -- Null if no person decided: the metadata document has changed, or AGENT_CLIENTS approved it.
  decided_by uuid references account,
  created_at timestamptz not null,
  -- The developer's answer to the reasons of the previous decision.
  answer text not null default ''
);
create index app_review_by_app on app_review (app_id, id);
create index app_review_by_person on app_review (decided_by, created_at);

-- The revision that a reviewer has read last, and the SHA-256 of its logo. A reviewer can approve only these.
create table review_reading (
  app_id uuid not null references app,
  reviewer_id uuid not null references account,
  revision integer not null,
  logo_hash bytea,
  read_at timestamptz not null,
  primary key (app_id, reviewer_id)
);

create table app_secret (
  id uuid primary key,
  app_id uuid not null references app,
  name text not null,
  sandbox boolean not null,
  secret_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  retired_at timestamptz,
  -- When the event of the coming expiry was recorded, once for each secret.
  expiry_reported_at timestamptz,
  -- Made for a day by the developer portal's Playground, for the sandbox. It does not count among the developer's own
  -- secrets.
  for_playground boolean not null default false
);
-- An app has one secret of the Playground at most: making another one retires it.
create unique index app_secret_of_playground on app_secret (app_id) where for_playground and retired_at is null;
create index app_secret_by_app on app_secret (app_id) where retired_at is null;
-- Finds secrets whose coming expiry is to be reported.
create index app_secret_expiring on app_secret (expires_at) where retired_at is null and expiry_reported_at is null;

-- People with whose accounts an app's sandbox works once they have accepted. The row of a removed tester stays for a
-- while, so that removing and inviting an address again does not mail it each time.
create table app_tester (
  app_id uuid not null references app,
  email_key text not null,
  email text not null,
  state text not null default 'pending' check (state in ('pending', 'accepted', 'declined')),
  invited_at timestamptz not null,
  mailed_at timestamptz,
  answered_at timestamptz,
  removed_at timestamptz,
  primary key (app_id, email_key)
);
create index app_tester_by_address on app_tester (email_key) where removed_at is null;
create index app_tester_removed on app_tester (removed_at) where removed_at is not null;

-- The exact causes of errors, which replies do not contain, for the developer of the app.
create table app_event (
  id uuid primary key,
  app_id uuid not null references app,
  kind text not null,
  cause text not null,
  sandbox boolean not null,
  request_id text not null,
  created_at timestamptz not null,
  occurrences integer not null default 1,
  last_occurred_at timestamptz not null,
  -- The newest requests before `request_id`.
  earlier_request_ids text[] not null default '{}',
  -- Events that requests with a client id alone can cause share one row for each cause and hour: the id is public, so
  -- that anyone can cause any number of them. Null for an event of its own.
  shared_hour timestamptz
);
create unique index app_event_shared on app_event (app_id, shared_hour, kind, sandbox, cause)
  where shared_hour is not null;
create index app_event_by_age on app_event (last_occurred_at);
-- Lists the events of an app by their newest occurrence.
create index app_event_by_time on app_event (app_id, last_occurred_at, id);

-- The newest valid copy of each metadata document, and the last failure since.
create table client_metadata_document (
  app_id uuid primary key references app,
  -- As it was served.
  body text not null,
  etag text,
  -- When this copy was last confirmed to be the newest.
  fetched_at timestamptz not null,
  fresh_until timestamptz not null,
  -- Null after a fetch that succeeded.
  failed_at timestamptz,
  failure text
);

-- === OAuth grants and tokens ===

-- The scopes that a person has granted an app: one live row for each person, app, and side (sandbox or not). Ended
-- grants stay as history.
create table app_grant (
  id uuid primary key,
  account_id uuid not null references account,
  app_id uuid not null references app,
  sandbox boolean not null,
  -- The scopes for the REST API. Each resource (RFC 8707) has a column, so that consent for one never reaches another.
  api_scopes text[] not null,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  last_used_at timestamptz,
  -- No refresh extends access beyond this time.
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_because text,
  -- When the app revoked the last of its tokens, which ends the webhooks that they made (docs/decisions/0145).
  tokens_ended_at timestamptz,
  -- The scopes for the MCP server.
  mcp_scopes text[] not null default '{}'
);
create unique index app_grant_live on app_grant (account_id, app_id, sandbox) where revoked_at is null;
create index app_grant_by_app on app_grant (app_id) where revoked_at is null;

-- Requests at the authorization endpoint whose user signs in or consents.
create table authorization_request (
  id_hash bytea primary key,
  -- The app is read again at every step: a suspended one gets no further.
  client_id text not null,
  redirect_uri text not null,
  scopes text[] not null,
  -- Bytes, because the value is returned exactly as it came.
  state bytea,
  code_challenge text,
  prompts text[] not null,
  login_hint text,
  -- The account that has signed in, or was chosen, for this request.
  account_id uuid references account,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The resource that tokens are for (RFC 8707); null if the app named none: the REST API. Not an address, so that
  -- tokens outlive a change of BASE_URL.
  resource text check (resource in ('api', 'mcp'))
);
create index authorization_request_by_age on authorization_request (expires_at);

create table authorization_code (
  code_hash bytea primary key,
  grant_id uuid not null references app_grant,
  -- The family that the exchange of the code begins.
  family_id uuid not null,
  redirect_uri text not null,
  scopes text[] not null,
  code_challenge text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  resource text check (resource in ('api', 'mcp'))
) with (fillfactor = 80);
create index authorization_code_by_age on authorization_code (expires_at);

-- All tokens that descend from one code. They end by this one row when one of them is used twice, including a token
-- that is created at that moment.
create table token_family (
  id uuid primary key,
  grant_id uuid not null references app_grant,
  -- The time of the code, when the user was present; not that of its exchange.
  created_at timestamptz not null,
  ended_at timestamptz,
  ended_because text,
  -- Of all tokens of the family: no refresh changes it.
  resource text check (resource in ('api', 'mcp'))
);
create index token_family_by_grant on token_family (grant_id);

-- Tokens have no foreign keys: the statements that insert them have just read the family, and checking a key would
-- write to the row of the family with each refresh. The fill factor leaves room on the page for updates, so that no
-- index is written again; the same holds for codes.
create table refresh_token (
  token_hash bytea primary key,
  family_id uuid not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When it was exchanged. Its successor is derived from it, so that repeating the exchange soon after returns the same
  -- one.
  rotated_at timestamptz
) with (fillfactor = 70);
create index refresh_token_by_age on refresh_token (expires_at);

-- A token that is revoked alone is deleted.
create table access_token (
  token_hash bytea primary key,
  family_id uuid not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index access_token_by_age on access_token (expires_at);

-- === Meetings ===

create table meeting (
  id uuid primary key,
  -- Ten digits, of which the first is 1 to 8. The code of a person's own room begins with 9, so that the two never
  -- collide.
  code text not null unique,
  host_id uuid not null references account,
  modified_by uuid not null references account,
  topic text not null,
  description text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- As it was sent, and the zone in which occurrences are computed.
  time_zone text not null,
  time_zone_iana text not null,
  -- The rule in the form of packages/rules, whose parts are never queried.
  recurrence jsonb not null,
  recurring boolean not null generated always as (recurrence ->> 'repeat' <> 'none') stored,
  ends_by timestamptz,
  -- The end of the last occurrence that is not cancelled; infinity for a series without an end.
  over_at timestamptz not null,
  options jsonb not null,
  -- PIN, host key and host PIN, encrypted.
  sealed_secrets bytea not null,
  version integer not null default 0,
  cancelled_at timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  app_id uuid references app,
  -- SEQUENCE of iCalendar (RFC 5545, 3.8.7.4).
  sequence integer not null default 0,
  -- Null: the service's default. 0: no reminder.
  reminder_minutes integer,
  -- Which kinds of email the mail server has accepted for the meeting.
  invitation_mailed boolean not null default false,
  reminder_mailed boolean not null default false,
  cancellation_mailed boolean not null default false,
  -- The SEQUENCE of the last change that calendars show. Guests may have come and gone since.
  state_sequence integer not null,
  -- The address that takes the replies of calendar programs, as ORGANIZER. Null: the host's own. It never changes,
  -- because calendar programs refuse an organizer that does (RFC 5546, 3.2.2.6).
  reply_address text,
  -- The SEQUENCE at which the guests were last asked. A reply to a lower one is about another time.
  asked_sequence integer not null default 0,
  -- The meeting whose series this one continues after a split. Deleting one part leaves the others.
  continues uuid references meeting on delete set null,
  -- The original start in that series from which it does, which the guests of both are mailed.
  continued_from timestamptz,
  -- The start of the last occurrence; infinity for a series without an end. In UTC, because subtracting days from a
  -- timestamptz depends on the time zone of the session.
  last_starts_at timestamptz not null generated always as (
    greatest(starts_at, ((over_at at time zone 'UTC') - (ends_at - starts_at)) at time zone 'UTC')) stored,
  -- The last authors of topic and description: {"topic": {"accountId", "grantId"}, "description": …}. The host is not
  -- always the author, and programs with a language model trust the texts of their own user alone. A deleted grant
  -- remains named.
  text_authors jsonb not null
);
-- One meeting at most continues another, so that the parts of a series that is split several times form a chain.
create unique index meeting_by_continued on meeting (continues) where continues is not null;
-- Finds cancelled series that are listed as active, because the date that was running at the cancellation has not
-- ended. Counting them then does not read all series of the host.
create index cancelled_series_by_host on meeting (host_id, over_at) where recurring and cancelled_at is not null;
-- Lists a host's meetings by start: each page is one range.
create index meeting_by_host on meeting (host_id, last_starts_at, id);
-- Finds what is running or ahead without reading what is over.
create index meeting_by_host_and_end on meeting (host_id, over_at);
-- Finds the series of a host for a range of dates, without reading the single meetings.
create index series_by_host on meeting (host_id, id) where recurring;
-- Lists order a series by its next occurrence, which only its rule knows, so that series are read separately. A host
-- with very many meetings has few series that are not over.
create index series_by_host_and_end on meeting (host_id, over_at) where recurring;

-- The people of a meeting: guests, and cohosts, who have the rights of the host.
create table participant (
  meeting_id uuid not null references meeting,
  email_key text not null,
  email text not null,
  position integer not null,
  invited boolean not null,
  cohost boolean not null,
  -- Copies of the meeting's columns, so that a person's list and its count are ranges of an index.
  starts_at timestamptz not null,
  meeting_cancelled boolean not null default false,
  response text check (response in ('accepted', 'tentative', 'declined')),
  -- When an email to this address failed for good; null again once one was accepted.
  mail_failed_at timestamptz,
  -- Until when the daily limits delay an email to this address; null again once one was sent.
  mail_delayed_until timestamptz,
  meeting_recurring boolean not null default false,
  -- When the last response was given, which may have been reset since. Replies by mail can arrive in another order.
  responded_at timestamptz,
  -- What the guest wrote with the response in a calendar program (RFC 5545, COMMENT), for the host.
  response_comment text,
  -- When the response was recorded, by the clock of this service. The digest lists responses since the last one.
  response_recorded_at timestamptz,
  -- Whether the person has blocked the host. In the row and its indexes, because lists read many rows.
  blocked boolean not null default false,
  primary key (meeting_id, email_key)
);
-- Lists a person's invitations by start: each page is one range.
create index participant_by_address on participant (email_key, starts_at, meeting_id)
  include (meeting_cancelled, meeting_recurring, blocked);
-- Finds the series of a person, which lists read separately (see series_by_host_and_end).
create index series_by_address on participant (email_key, meeting_id) include (blocked) where meeting_recurring;

-- Cancelled occurrences of a series.
create table skipped_occurrence (
  meeting_id uuid not null references meeting,
  -- The start that the rule gives.
  starts_at timestamptz not null,
  skipped_by uuid not null references account,
  skipped_at timestamptz not null,
  primary key (meeting_id, starts_at)
);

-- Dates of a series that were cancelled and that a later change of its rule removed. The cancellation no longer
-- applies, but a change that brings the date back can report it.
create table dropped_cancellation (
  meeting_id uuid not null references meeting,
  -- A date in the series' time zone.
  local_date date not null,
  dropped_at timestamptz not null,
  primary key (meeting_id, local_date)
);

-- Occurrences of a series with their own times or texts; null: as in the series. An occurrence that is cancelled keeps
-- its change, and has it again when it is restored.
create table changed_occurrence (
  meeting_id uuid not null references meeting,
  -- The start that the rule gives (RFC 5545, 3.8.4.4).
  original_start timestamptz not null,
  starts_at timestamptz,
  ends_at timestamptz,
  topic text,
  description text,
  changed_by uuid not null references account,
  changed_at timestamptz not null,
  primary key (meeting_id, original_start),
  check ((starts_at is null) = (ends_at is null)),
  check (ends_at > starts_at),
  check (num_nonnulls(starts_at, topic, description) > 0)
);
-- Finds the changed occurrences of a range by the earlier and the later of their two times; a list would otherwise read
-- every change of each series.
create index changed_occurrence_by_time on changed_occurrence
  (meeting_id, (greatest(original_start, ends_at)), (least(original_start, starts_at)));

-- The state of a meeting before a person cancelled it, or a date and all that follow, while that can be undone.
create table undoable_cancellation (
  meeting_id uuid primary key references meeting,
  cancelled_by uuid not null references account,
  undoable_until timestamptz not null,
  -- The version of the meeting after the cancellation: a meeting that was changed since is not undone.
  version integer not null,
  undone_at timestamptz,
  recurrence jsonb not null,
  ends_by timestamptz,
  over_at timestamptz not null,
  -- By table, the rows that the cancellation deleted or added to.
  former_rows jsonb not null
);
create index undoable_cancellation_by_time on undoable_cancellation (undoable_until);

-- Numbers of a host's meetings, and what they hold, for quotas: counting very many meetings would cost more than the
-- page that shows the number. A host has several rows, one for each of a few database connections, so that parallel
-- requests do not wait for each other.
create table hosted_meeting_count (
  host_id uuid not null references account,
  shard smallint not null,
  active integer not null,
  cancelled integer not null,
  participants integer not null default 0,
  text_bytes bigint not null default 0,
  primary key (host_id, shard)
) with (fillfactor = 50);

-- Meetings that people have put on their own lists by a link and its PIN. This is no invitation.
create table added_meeting (
  account_id uuid not null references account,
  meeting_id uuid not null references meeting,
  added_at timestamptz not null,
  primary key (account_id, meeting_id)
);

-- Meetings of a closed account that are offered to a cohost. The closed account remains their host until a cohost
-- accepts.
create table hand_over (
  meeting_id uuid not null references meeting on delete cascade,
  account_id uuid not null references account,
  offered_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the cohost was mailed; one email names all meetings that an account offers.
  mailed_at timestamptz,
  declined_at timestamptz,
  primary key (meeting_id, account_id)
);
create index hand_over_by_account on hand_over (account_id, expires_at);

-- === Responses of guests ===

-- Responses to one occurrence of a series.
create table occurrence_response (
  meeting_id uuid not null,
  email_key text not null,
  -- The start that the rule gives (RFC 5545, 3.8.4.4).
  original_start timestamptz not null,
  response text not null check (response in ('accepted', 'tentative', 'declined')),
  responded_at timestamptz not null,
  -- See response_comment and response_recorded_at of participant.
  comment text,
  recorded_at timestamptz not null,
  primary key (meeting_id, email_key, original_start),
  foreign key (meeting_id, email_key) references participant on delete cascade
);
create index occurrence_response_by_start on occurrence_response (meeting_id, original_start);

-- Occurrences that were moved, so that their guests are asked again: for them, responses to the series from before
-- `asked_at` do not count, nor replies of calendar programs to a SEQUENCE before `asked_sequence`.
create table asked_occurrence (
  meeting_id uuid not null references meeting on delete cascade,
  original_start timestamptz not null,
  asked_at timestamptz not null,
  asked_sequence integer not null,
  primary key (meeting_id, original_start)
);

-- Times that guests propose instead (RFC 5546, COUNTER): at most one of each guest for the meeting (`original_start` is
-- null) and for each of its occurrences. A dismissed proposal stays, so that the same email does not bring it back.
create table time_proposal (
  id uuid primary key,
  meeting_id uuid not null,
  email_key text not null,
  original_start timestamptz,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  comment text,
  proposed_at timestamptz not null,
  dismissed_at timestamptz,
  -- See response_recorded_at of participant.
  recorded_at timestamptz not null,
  foreign key (meeting_id, email_key) references participant on delete cascade,
  check (ends_at > starts_at)
);
create unique index time_proposal_of_guest on time_proposal
  (meeting_id, email_key, coalesce(original_start, '-infinity'));

-- The next daily digest of the answers to an account's meetings, while `answerDigest` of its settings is on.
create table answer_digest (
  account_id uuid primary key references account on delete cascade,
  -- The time zone of the profile from which `due_at` was computed.
  time_zone text not null,
  due_at timestamptz not null,
  -- Answers recorded until then were in earlier digests.
  reported_until timestamptz not null
);
create index answer_digest_by_due on answer_digest (due_at);

-- Reply addresses of a guest of an earlier generation are no longer valid: removing the guest, or the guest's own stop
-- for the meeting, raises it (docs/decisions/0161).
create table reply_generation (
  meeting_id uuid not null references meeting on delete cascade,
  email_key text not null,
  generation integer not null default 1,
  primary key (meeting_id, email_key)
);

-- === Emails and calendars ===

-- States of a meeting as calendars were sent them, once for all of its guests; encrypted, because they contain the PIN.
-- This table and the two after it have no foreign keys: a delivery must not wait for a change that holds the meeting
-- and itself waits for deliveries.
create table meeting_state (
  meeting_id uuid not null,
  sequence integer not null,
  sealed_content bytea not null,
  created_at timestamptz not null,
  primary key (meeting_id, sequence)
);

-- One row for each meeting and address: what the guest's calendar holds, and what is yet to be sent. The emails of one
-- row are sent one after the other (docs/decisions/0054).
create table guest_delivery (
  meeting_id uuid not null,
  email_key text not null,
  -- As it was typed.
  email text not null,
  -- The meeting_state in the last email that was accepted; null: none, or a cancellation. A number without a row:
  -- unknown, because `restore --drop-waiting` dropped an email.
  held_sequence integer,
  -- A change is to be sent, or to be found superseded.
  pending boolean not null default false,
  -- Raised by everything that may need an email, so that a delivery notices what happens while it runs.
  revision integer not null default 0,
  -- The account whose change is pending, and since when.
  sender_id uuid,
  wanted_at timestamptz,
  -- The date of the reminder, and its email once that was begun.
  reminder_for timestamptz,
  reminder_id uuid,
  -- When the last email other than a reminder was accepted.
  last_mail_at timestamptz,
  -- Since when the mail server has refused the pending email.
  failing_since timestamptz,
  -- The job that delivers at the moment, if it still runs.
  job_id bigint,
  -- The kind of an email that was accepted and is not yet shown by the meeting.
  unreported text,
  -- The host has asked to send the invitation again, although the guest holds the current state.
  resend boolean not null default false,
  -- The account that invited the guest, against whose limits reminders count; null: the host.
  invited_by uuid,
  -- A queued reminder counts for this account from the moment it is queued, as a pending change does.
  reminder_sender_id uuid,
  reminder_wanted_at timestamptz,
  -- Emails about a cancellation wait until it can no longer be undone.
  wait_until timestamptz,
  primary key (meeting_id, email_key)
) with (fillfactor = 80);
-- The daily limits count these rows.
create index guest_delivery_by_reminder_sender on guest_delivery (reminder_sender_id, reminder_wanted_at)
  where reminder_for is not null and reminder_id is null;
-- The daily limits count these rows.
create index guest_delivery_by_sender on guest_delivery (sender_id, wanted_at) where pending;
-- Finds the rows of former guests who were sent a cancellation, for deletion.
create index guest_delivery_ended on guest_delivery (last_mail_at) where held_sequence is null and not pending;

-- Emails about meetings. A row is written before the email is handed to the mail server, with the outcome `unknown`
-- until the server has answered, and for good if the process dies before.
create table guest_mail (
  meeting_id uuid not null,
  email_key text not null,
  -- In order of time. The Message-ID is made of it.
  id uuid not null,
  kind text not null,
  sequence integer not null,
  -- The meeting_state that it shows.
  state_sequence integer not null,
  date timestamptz,
  sender_id uuid,
  started_at timestamptz not null,
  sent_at timestamptz,
  outcome text not null check (outcome in ('unknown', 'sent', 'superseded')),
  primary key (meeting_id, email_key, id)
) with (fillfactor = 80);
-- The daily limits count these rows.
create index guest_mail_by_address on guest_mail (email_key, started_at);
-- BRIN, because rows are inserted in order of time.
create index guest_mail_by_age on guest_mail using brin (started_at);
-- The daily limits count these rows.
create index guest_mail_by_sender on guest_mail (sender_id, started_at) where sender_id is not null;

-- The next reminder of each meeting that has one. A table of its own, because moving it on must not rewrite the
-- meeting.
create table meeting_reminder (
  meeting_id uuid primary key references meeting,
  occurrence timestamptz not null,
  due_at timestamptz not null
) with (fillfactor = 80);
create index meeting_reminder_by_time on meeting_reminder (due_at);

-- Addresses, possibly of the host, that want no more reminders of a meeting, by the link in one (RFC 8058).
create table stopped_reminder (
  meeting_id uuid not null references meeting,
  email_key text not null,
  stopped_at timestamptz not null,
  primary key (meeting_id, email_key)
);

-- Guests who were added without an email. They count with the invitations of the account for a day.
create table quiet_invitation (
  account_id uuid not null references account on delete cascade,
  invited_at timestamptz not null,
  people integer not null
);
create index quiet_invitation_by_account on quiet_invitation (account_id, invited_at);

-- The secret address of a person's calendar feed. Only the SHA-256 of the secret is stored.
create table calendar_feed (
  account_id uuid primary key references account,
  secret_hash bytea not null unique,
  created_at timestamptz not null
);

-- === Rooms ===

-- The state of a meeting's room, or of an account's own room (account.room_id); without a row, no host has changed it.
-- Room ids have no foreign keys, here and below, because no table holds both kinds.
create table room (
  meeting_id uuid primary key,
  locked_at timestamptz,
  -- The occurrence that was running then is over; the next one opens again.
  ended_at timestamptz,
  -- Since when, and for which occurrence, new guests wait until a host admits them; null: they do not.
  asks_new_guests_since timestamptz,
  asks_new_guests_for timestamptz,
  check ((asks_new_guests_since is null) = (asks_new_guests_for is null))
);

-- Requests to enter and their outcome: one row for each person and room while the outcome applies.
create table admission (
  id uuid primary key,
  meeting_id uuid not null,
  -- Either an account, or a guest by the SHA-256 of their cookie.
  account_id uuid references account,
  guest_hash bytea,
  name text not null,
  role text not null check (role in ('host', 'cohost', 'participant')),
  state text not null check (state in ('waiting_for_host', 'waiting', 'admitted', 'denied')),
  asked_at timestamptz not null,
  decided_at timestamptz,
  -- Inside from then to `left_at`, as the media engine reports it.
  entered_at timestamptz,
  left_at timestamptz,
  -- The start of the occurrence: an admission to one does not admit to the next.
  occurrence_at timestamptz not null,
  -- When the page last asked. A person who waits and has left the page no longer waits. In no index, because it changes
  -- every few seconds.
  seen_at timestamptz not null,
  -- The role given by the host key or by a host inside; null: the account's own role in the meeting.
  granted_role text check (granted_role in ('host', 'cohost')),
  -- The microphone stays off until a host allows it.
  hard_muted boolean not null default false,
  -- When a host last asked the person to switch the microphone on.
  unmute_asked_at timestamptz,
  -- The grant of the app through which the person joined, which ends their stay with it; null: they joined themselves.
  grant_id uuid references app_grant,
  check ((account_id is null) <> (guest_hash is null))
);
create unique index admission_of_account on admission (meeting_id, account_id) where account_id is not null;
create unique index admission_of_guest on admission (meeting_id, guest_hash) where guest_hash is not null;
create index admission_by_age on admission (asked_at);
-- The waiting room of a host reads these three with each request, and rooms have a history.
create index admission_inside on admission (meeting_id) where entered_at is not null and left_at is null;
create index admission_waiting on admission (meeting_id) where state in ('waiting_for_host', 'waiting');
create index admission_denied on admission (meeting_id, decided_at) where state = 'denied';

-- When a meeting was held: from the first person inside until the last one left.
create table room_session (
  id uuid primary key,
  meeting_id uuid not null,
  started_at timestamptz not null,
  -- Null while it is running.
  ended_at timestamptz
);
create unique index room_session_going_on on room_session (meeting_id) where ended_at is null;
-- Finds what is older than the retention settings allow, once an hour.
create index room_session_by_end on room_session (ended_at) where ended_at is not null;
create index room_session_by_start on room_session (meeting_id, started_at, id);

-- When each person was inside, with the name and role of that time, which change in an admission.
create table room_stay (
  id uuid primary key,
  session_id uuid not null references room_session,
  meeting_id uuid not null,
  admission_id uuid not null references admission,
  account_id uuid references account,
  name text not null,
  role text not null check (role in ('host', 'cohost', 'participant')),
  -- The media engine's id of this connection: a report that arrives twice changes nothing.
  participant_sid text not null unique,
  joined_at timestamptz not null,
  left_at timestamptz
);
create index room_stay_by_admission on room_stay (admission_id) where left_at is null;
create index room_stay_by_meeting on room_stay (meeting_id, joined_at, id);
create index room_stay_by_session on room_stay (session_id, joined_at, id);
create index room_stay_going_on on room_stay (meeting_id) where left_at is null;

-- Where the one embedded media engine of several instances runs; valid while its instance holds the advisory lock
-- (shared-engine.ts).
create table media_engine (
  singleton boolean primary key default true check (singleton),
  -- Empty: the engine was shut down.
  address text not null,
  machine text not null
);

-- === Events ===

-- What happened, for programs that read it (docs/events.md). A row is written in the transaction of the change, without
-- a position. The publisher then gives committed rows the position in which they are read, and their sequence within
-- the meeting (docs/decisions/0143). References are no foreign keys: events outlive meetings, apps and grants, and the
-- insertion is part of each change.
create table event (
  id uuid primary key default gen_random_uuid(),
  -- The order of insertion, which is not that of commits.
  number bigint generated always as identity,
  -- The order in which events are read; null until the event is published.
  position bigint,
  type text not null,
  occurred_at timestamptz not null,
  account_id uuid not null,
  subject uuid not null,
  meeting_id uuid,
  app_id uuid,
  -- The number of the event among those of its meeting; null until it is published, and without a meeting.
  sequence bigint,
  data jsonb not null,
  -- The grant by which an app made the change, so that Connected apps can show what each app did (docs/decisions/0158).
  acting_grant_id uuid
);
create unique index event_position on event (position) where position is not null;
create index event_of_account on event (account_id, position) where position is not null;
create index event_of_acting_grant on event (acting_grant_id, position)
  where position is not null and acting_grant_id is not null;
create index event_of_meeting on event (meeting_id, position) where position is not null and meeting_id is not null;
create index event_unpublished on event (number) where position is null;

-- One row: the position of the last event, and the one up to which events were deleted. The publisher creates it,
-- because a restore requires empty tables.
create table event_log (
  singleton boolean primary key default true check (singleton),
  last_position bigint not null,
  deleted_position bigint not null
);

-- The last sequence of each meeting, which continues when its events are deleted.
create table event_counter (
  meeting_id uuid primary key,
  last_sequence bigint not null
);

-- === Webhooks ===

-- Addresses to which events are sent (docs/webhooks.md).
create table webhook (
  id uuid primary key,
  -- person: events of the account. app: of the people who granted the app. grant: of one grant, with which it ends.
  -- organisation: of all accounts of the tenant, for an administrator.
  owner text not null check (owner in ('person', 'app', 'grant', 'organisation')),
  -- The account that made it, which is emailed when it fails.
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
  -- The first failure since the last success; null while events are accepted.
  failing_since timestamptz,
  last_success_at timestamptz,
  -- When the owner was emailed that the webhook has failed for a day.
  warned_at timestamptz,
  disabled_at timestamptz,
  disabled_because text check (disabled_because in ('owner', 'signed_out', 'gone', 'no_success')),
  -- When it is next probed; null if it is not.
  next_probe_at timestamptz,
  -- The personal token that made it, with which it ends (docs/decisions/0145); null for a session and an app. It stays
  -- when the token is deleted.
  personal_token_id uuid,
  check ((owner in ('app', 'grant')) = (app_id is not null)),
  check ((owner = 'grant') = (grant_id is not null)),
  check ((disabled_at is null) = (disabled_because is null)),
  check (personal_token_id is null or owner = 'person')
);
create index webhook_by_account on webhook (account_id);
create index webhook_by_app on webhook (app_id) where app_id is not null;
create index webhook_by_grant on webhook (grant_id) where grant_id is not null;
create index webhook_by_personal_token on webhook (personal_token_id) where personal_token_id is not null;
create index webhook_failing on webhook (failing_since) where failing_since is not null;
create index webhook_of_organisations on webhook (id) where owner = 'organisation';
create index webhook_to_probe on webhook (next_probe_at) where next_probe_at is not null;

-- One event for one webhook.
create table webhook_delivery (
  webhook_id uuid not null references webhook on delete cascade,
  event_id uuid not null references event on delete cascade,
  -- The queue that it waits in: that of its subject, or after six failures one of its own, by the id of the event.
  lane uuid not null,
  position bigint not null,
  state text not null check (state in ('waiting', 'delivered', 'failed', 'withheld')),
  attempts integer not null default 0,
  -- Of `attempts`, those before a request to send it again, after which the pauses between attempts begin anew.
  attempts_before_resend integer not null default 0,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_status integer,
  primary key (webhook_id, event_id)
);
create index webhook_delivery_by_event on webhook_delivery (event_id);
create index webhook_delivery_by_position on webhook_delivery (webhook_id, position desc);
create index webhook_delivery_failed on webhook_delivery (webhook_id, position desc) where state = 'failed';
create index webhook_delivery_waiting on webhook_delivery (webhook_id, lane, position) where state = 'waiting';

-- Queues of a webhook with at least one waiting delivery. Deliveries leave in order of their positions. Adding or
-- finishing a delivery locks the row first.
create table webhook_lane (
  webhook_id uuid not null references webhook on delete cascade,
  lane uuid not null,
  -- While an attempt is running: when another instance may assume that it has died.
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

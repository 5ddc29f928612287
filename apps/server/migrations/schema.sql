CREATE OR REPLACE FUNCTION public.person_words(list_id uuid, name text, email_key text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(array_remove(array_remove(string_to_array(replace((' '::text || regexp_replace(regexp_replace(lower(regexp_replace(NORMALIZE(((((((name || ' '::text) || email_key) || ' '::text) || split_part(email_key, '@'::text, 2)) || ' '::text) || regexp_replace(((name || ' '::text) || split_part(email_key, '@'::text, 1)), '[!-/:-@[-`{-~]+'::text, ' '::text, 'g'::text)), NFKD), '[\u0300-\u036f]'::text, ''::text, 'g'::text)), '[\s,;"<>()]+'::text, ' '::text, 'g'::text), '([^ ]{64})[^ ]+'::text, '\1'::text, 'g'::text)), ' '::text, (' '::text || (list_id)::text)), ' '::text), (list_id)::text), ''::text))


create table access_token (
  token_hash bytea not null,
  family_id uuid not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  room_code text,
  constraint access_token_pkey PRIMARY KEY (token_hash)
);

CREATE INDEX access_token_by_age ON public.access_token USING btree (expires_at);

create table account (
  id uuid not null,
  tenant_id uuid not null,
  email text not null,
  email_key text not null,
  email_verified_at timestamp with time zone,
  password_hash text,
  password_changed_at timestamp with time zone,
  name text not null,
  lname text not null,
  phone_no text not null default ''::text,
  time_zone text not null default ''::text,
  department text not null default ''::text,
  location text not null default ''::text,
  avatar integer not null default 0,
  settings jsonb not null,
  school_data jsonb not null,
  room_id uuid not null,
  room_code text not null,
  sealed_secrets bytea not null,
  chat_id uuid not null,
  chat_user_id uuid not null,
  administrator boolean not null default false,
  reviewer boolean not null default false,
  oauth_enabled boolean not null default false,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  modified_at timestamp with time zone not null,
  app_tokens_ended_at timestamp with time zone,
  language text not null default ''::text,
  deleted_at timestamp with time zone,
  hands_over_meetings boolean not null default false,
  erased_at timestamp with time zone,
  reply_generation integer not null default 0,
  hour_cycle text not null default ''::text,
  first_day_of_week text not null default ''::text,
  last_seen_at timestamp with time zone,
  meeting_defaults jsonb not null default '{}'::jsonb,
  photo jsonb,
  constraint account_email_key_key UNIQUE (email_key),
  constraint account_first_day_of_week_check CHECK ((first_day_of_week = ANY (ARRAY[''::text, 'mon'::text, 'sat'::text, 'sun'::text]))),
  constraint account_hour_cycle_check CHECK ((hour_cycle = ANY (ARRAY[''::text, 'h12'::text, 'h23'::text]))),
  constraint account_pkey PRIMARY KEY (id),
  constraint account_room_code_key UNIQUE (room_code),
  constraint account_room_id_key UNIQUE (room_id),
  constraint account_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id)
);

CREATE INDEX account_by_tenant ON public.account USING btree (tenant_id, id);

CREATE INDEX account_by_word ON public.account USING gin (person_words(tenant_id, ((name || ' '::text) || lname), email_key)) WITH (fastupdate=off) WHERE (deleted_at IS NULL);

CREATE INDEX account_to_erase ON public.account USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));

CREATE INDEX account_with_digest ON public.account USING btree (id) WHERE (settings @> '{"answerDigest": true}'::jsonb);

create table account_photo (
  id text not null,
  account_id uuid not null,
  media_type text not null,
  bytes bytea not null,
  created_at timestamp with time zone not null,
  constraint account_photo_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint account_photo_account_id_key UNIQUE (account_id),
  constraint account_photo_pkey PRIMARY KEY (id)
);

create table added_meeting (
  account_id uuid not null,
  meeting_id uuid not null,
  added_at timestamp with time zone not null,
  constraint added_meeting_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint added_meeting_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id),
  constraint added_meeting_pkey PRIMARY KEY (account_id, meeting_id)
);

create table admission (
  id uuid not null,
  meeting_id uuid not null,
  account_id uuid,
  guest_hash bytea,
  name text not null,
  role text not null,
  state text not null,
  asked_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  entered_at timestamp with time zone,
  left_at timestamp with time zone,
  occurrence_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  granted_role text,
  hard_muted boolean not null default false,
  unmute_asked_at timestamp with time zone,
  grant_id uuid,
  rights jsonb not null default '{}'::jsonb,
  former_name text,
  breakout_room uuid,
  breakout_away boolean not null default false,
  help_asked_at timestamp with time zone,
  constraint admission_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint admission_check CHECK (((account_id IS NULL) <> (guest_hash IS NULL))),
  constraint admission_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES app_grant(id),
  constraint admission_granted_role_check CHECK ((granted_role = ANY (ARRAY['host'::text, 'cohost'::text]))),
  constraint admission_pkey PRIMARY KEY (id),
  constraint admission_role_check CHECK ((role = ANY (ARRAY['host'::text, 'cohost'::text, 'participant'::text]))),
  constraint admission_state_check CHECK ((state = ANY (ARRAY['waiting_for_host'::text, 'waiting'::text, 'admitted'::text, 'denied'::text])))
);

CREATE INDEX admission_by_age ON public.admission USING btree (asked_at);

CREATE INDEX admission_denied ON public.admission USING btree (meeting_id, decided_at) WHERE (state = 'denied'::text);

CREATE INDEX admission_inside ON public.admission USING btree (meeting_id) WHERE ((entered_at IS NOT NULL) AND (left_at IS NULL));

CREATE UNIQUE INDEX admission_of_account ON public.admission USING btree (meeting_id, account_id) WHERE (account_id IS NOT NULL);

CREATE UNIQUE INDEX admission_of_guest ON public.admission USING btree (meeting_id, guest_hash) WHERE (guest_hash IS NOT NULL);

CREATE INDEX admission_waiting ON public.admission USING btree (meeting_id) WHERE (state = ANY (ARRAY['waiting_for_host'::text, 'waiting'::text]));

create table answer_digest (
  account_id uuid not null,
  time_zone text not null,
  due_at timestamp with time zone not null,
  reported_until timestamp with time zone not null,
  constraint answer_digest_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint answer_digest_pkey PRIMARY KEY (account_id)
);

CREATE INDEX answer_digest_by_due ON public.answer_digest USING btree (due_at);

create table app (
  id uuid not null,
  owner_id uuid,
  status text not null,
  status_before text,
  client_id text,
  sandbox_client_id text,
  live_revision integer,
  draft_revision integer,
  submitted_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  modified_at timestamp with time zone not null,
  scope_reasons jsonb not null default '{}'::jsonb,
  review_notes text not null default ''::text,
  client_type text not null default 'confidential'::text,
  registration text not null default 'portal'::text,
  live_by_configuration boolean not null default false,
  constraint app_client_id_key UNIQUE (client_id),
  constraint app_client_type_check CHECK ((client_type = ANY (ARRAY['confidential'::text, 'native'::text, 'single_page'::text]))),
  constraint app_owner_check CHECK ((((registration = 'portal'::text) = (owner_id IS NOT NULL)) AND ((owner_id IS NULL) = (sandbox_client_id IS NULL)))),
  constraint app_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES account(id),
  constraint app_pkey PRIMARY KEY (id),
  constraint app_registration_check CHECK ((registration = ANY (ARRAY['portal'::text, 'metadata_document'::text, 'dynamic'::text]))),
  constraint app_sandbox_client_id_key UNIQUE (sandbox_client_id),
  constraint app_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'under_review'::text, 'approved'::text, 'rejected'::text, 'on_hold'::text, 'suspended'::text])))
);

CREATE INDEX app_by_owner ON public.app USING btree (owner_id, id) WHERE (deleted_at IS NULL);

create table app_check (
  app_id uuid not null,
  revision integer not null,
  "position" integer not null,
  "check" text not null,
  field text not null,
  result text not null,
  message text not null,
  constraint app_check_app_id_revision_fkey FOREIGN KEY (app_id, revision) REFERENCES app_revision(app_id, number),
  constraint app_check_pkey PRIMARY KEY (app_id, revision, "position"),
  constraint app_check_result_check CHECK ((result = ANY (ARRAY['passed'::text, 'noted'::text, 'failed'::text, 'not_tried'::text])))
);

create table app_event (
  id uuid not null,
  app_id uuid not null,
  kind text not null,
  cause text not null,
  sandbox boolean not null,
  request_id text not null,
  created_at timestamp with time zone not null,
  occurrences integer not null default 1,
  last_occurred_at timestamp with time zone not null,
  earlier_request_ids text[] not null default '{}'::text[],
  shared_hour timestamp with time zone,
  constraint app_event_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id),
  constraint app_event_pkey PRIMARY KEY (id)
);

CREATE INDEX app_event_by_age ON public.app_event USING btree (last_occurred_at);

CREATE INDEX app_event_by_time ON public.app_event USING btree (app_id, last_occurred_at, id);

CREATE UNIQUE INDEX app_event_shared ON public.app_event USING btree (app_id, shared_hour, kind, sandbox, cause) WHERE (shared_hour IS NOT NULL);

create table app_grant (
  id uuid not null,
  account_id uuid not null,
  app_id uuid not null,
  sandbox boolean not null,
  api_scopes text[] not null,
  created_at timestamp with time zone not null,
  modified_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  revoked_because text,
  tokens_ended_at timestamp with time zone,
  mcp_scopes text[] not null default '{}'::text[],
  constraint app_grant_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint app_grant_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id),
  constraint app_grant_pkey PRIMARY KEY (id)
);

CREATE INDEX app_grant_by_app ON public.app_grant USING btree (app_id) WHERE (revoked_at IS NULL);

CREATE UNIQUE INDEX app_grant_live ON public.app_grant USING btree (account_id, app_id, sandbox) WHERE (revoked_at IS NULL);

create table app_logo (
  app_id uuid not null,
  revision integer not null,
  media_type text not null,
  bytes bytea not null,
  constraint app_logo_app_id_revision_fkey FOREIGN KEY (app_id, revision) REFERENCES app_revision(app_id, number),
  constraint app_logo_pkey PRIMARY KEY (app_id, revision)
);

create table app_review (
  id uuid not null,
  app_id uuid not null,
  revision integer not null,
  decision text not null,
  reasons jsonb not null,
  decided_by uuid,
  created_at timestamp with time zone not null,
  answer text not null default ''::text,
  constraint app_review_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id),
  constraint app_review_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES account(id),
  constraint app_review_pkey PRIMARY KEY (id)
);

CREATE INDEX app_review_by_app ON public.app_review USING btree (app_id, id);

CREATE INDEX app_review_by_person ON public.app_review USING btree (decided_by, created_at);

create table app_revision (
  app_id uuid not null,
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
  submitted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  owner_name text,
  owner_organisation text,
  name_keys text[] not null,
  embed_origins text[] not null default '{}'::text[],
  constraint app_revision_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id),
  constraint app_revision_pkey PRIMARY KEY (app_id, number)
);

CREATE INDEX app_revision_by_name_keys ON public.app_revision USING gin (name_keys);

CREATE INDEX app_revision_waiting ON public.app_revision USING btree (submitted_at, app_id) WHERE (submitted_at IS NOT NULL);

create table app_secret (
  id uuid not null,
  app_id uuid not null,
  name text not null,
  sandbox boolean not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  retired_at timestamp with time zone,
  expiry_reported_at timestamp with time zone,
  for_playground boolean not null default false,
  constraint app_secret_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id),
  constraint app_secret_pkey PRIMARY KEY (id)
);

CREATE INDEX app_secret_by_app ON public.app_secret USING btree (app_id) WHERE (retired_at IS NULL);

CREATE INDEX app_secret_expiring ON public.app_secret USING btree (expires_at) WHERE ((retired_at IS NULL) AND (expiry_reported_at IS NULL));

CREATE UNIQUE INDEX app_secret_of_playground ON public.app_secret USING btree (app_id) WHERE (for_playground AND (retired_at IS NULL));

create table app_tester (
  app_id uuid not null,
  email_key text not null,
  email text not null,
  state text not null default 'pending'::text,
  invited_at timestamp with time zone not null,
  mailed_at timestamp with time zone,
  answered_at timestamp with time zone,
  removed_at timestamp with time zone,
  constraint app_tester_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id),
  constraint app_tester_pkey PRIMARY KEY (app_id, email_key),
  constraint app_tester_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'accepted'::text, 'declined'::text])))
);

CREATE INDEX app_tester_by_address ON public.app_tester USING btree (email_key) WHERE (removed_at IS NULL);

CREATE INDEX app_tester_removed ON public.app_tester USING btree (removed_at) WHERE (removed_at IS NOT NULL);

create table asked_occurrence (
  meeting_id uuid not null,
  original_start timestamp with time zone not null,
  asked_at timestamp with time zone not null,
  asked_sequence integer not null,
  constraint asked_occurrence_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE,
  constraint asked_occurrence_pkey PRIMARY KEY (meeting_id, original_start)
);

create table attempt_count (
  key character varying(255) not null,
  points integer not null default 0,
  expire bigint,
  constraint attempt_count_pkey PRIMARY KEY (key)
);

CREATE INDEX attempt_count_by_expiry ON public.attempt_count USING btree (expire);

create table audit_entry (
  id uuid not null,
  tenant_id uuid not null,
  actor_id uuid,
  subject_id uuid,
  action text not null,
  detail jsonb not null,
  address text not null,
  created_at timestamp with time zone not null,
  constraint audit_entry_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES account(id),
  constraint audit_entry_pkey PRIMARY KEY (id),
  constraint audit_entry_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id)
);

CREATE INDEX audit_entry_by_subject ON public.audit_entry USING btree (subject_id, id);

CREATE INDEX audit_entry_by_tenant ON public.audit_entry USING btree (tenant_id, id);

CREATE INDEX audit_entry_of_sign_ins ON public.audit_entry USING btree (created_at) WHERE (action = ANY (ARRAY['session.begun'::text, 'session.ended'::text, 'sessions.ended'::text, 'sign-in.refused'::text]));

create table authorization_code (
  code_hash bytea not null,
  grant_id uuid not null,
  family_id uuid not null,
  redirect_uri text not null,
  scopes text[] not null,
  code_challenge text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  resource text,
  constraint authorization_code_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES app_grant(id),
  constraint authorization_code_pkey PRIMARY KEY (code_hash),
  constraint authorization_code_resource_check CHECK ((resource = ANY (ARRAY['api'::text, 'mcp'::text])))
) with (fillfactor=80);

CREATE INDEX authorization_code_by_age ON public.authorization_code USING btree (expires_at);

create table authorization_request (
  id_hash bytea not null,
  client_id text not null,
  redirect_uri text not null,
  scopes text[] not null,
  state bytea,
  code_challenge text,
  prompts text[] not null,
  login_hint text,
  account_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  resource text,
  constraint authorization_request_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint authorization_request_pkey PRIMARY KEY (id_hash),
  constraint authorization_request_resource_check CHECK ((resource = ANY (ARRAY['api'::text, 'mcp'::text])))
);

CREATE INDEX authorization_request_by_age ON public.authorization_request USING btree (expires_at);

create table blocked_sender (
  account_id uuid not null,
  sender_id uuid not null,
  blocked_at timestamp with time zone not null,
  constraint blocked_sender_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint blocked_sender_pkey PRIMARY KEY (account_id, sender_id),
  constraint blocked_sender_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES account(id) ON DELETE CASCADE
);

CREATE INDEX blocked_sender_by_sender ON public.blocked_sender USING btree (sender_id);

create table calendar_feed (
  account_id uuid not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null,
  constraint calendar_feed_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint calendar_feed_pkey PRIMARY KEY (account_id),
  constraint calendar_feed_secret_hash_key UNIQUE (secret_hash)
);

create table changed_occurrence (
  meeting_id uuid not null,
  original_start timestamp with time zone not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  topic text,
  description text,
  changed_by uuid not null,
  changed_at timestamp with time zone not null,
  location text,
  constraint changed_occurrence_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES account(id),
  constraint changed_occurrence_check CHECK (((starts_at IS NULL) = (ends_at IS NULL))),
  constraint changed_occurrence_check1 CHECK ((ends_at > starts_at)),
  constraint changed_occurrence_differs CHECK ((num_nonnulls(starts_at, topic, description, location) > 0)),
  constraint changed_occurrence_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id),
  constraint changed_occurrence_pkey PRIMARY KEY (meeting_id, original_start)
);

CREATE INDEX changed_occurrence_by_time ON public.changed_occurrence USING btree (meeting_id, GREATEST(original_start, ends_at), LEAST(original_start, starts_at));

create table client_metadata_document (
  app_id uuid not null,
  body text not null,
  etag text,
  fetched_at timestamp with time zone not null,
  fresh_until timestamp with time zone not null,
  failed_at timestamp with time zone,
  failure text,
  constraint client_metadata_document_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id),
  constraint client_metadata_document_pkey PRIMARY KEY (app_id)
);

create table contact (
  account_id uuid not null,
  email_key text not null,
  email text not null,
  name text not null,
  familiarity double precision not null,
  invited_at timestamp with time zone not null,
  words tsvector not null generated always as (person_words(account_id, name, email_key)) stored,
  constraint contact_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint contact_pkey PRIMARY KEY (account_id, email_key)
);

CREATE INDEX contact_by_age ON public.contact USING btree (invited_at);

CREATE INDEX contact_by_familiarity ON public.contact USING btree (account_id, familiarity DESC);

CREATE INDEX contact_by_word ON public.contact USING gin (words) WITH (fastupdate=off);

create table dropped_cancellation (
  meeting_id uuid not null,
  local_date date not null,
  dropped_at timestamp with time zone not null,
  constraint dropped_cancellation_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id),
  constraint dropped_cancellation_pkey PRIMARY KEY (meeting_id, local_date)
);

create table embed_ticket (
  ticket_hash bytea not null,
  family_id uuid not null,
  room_code text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint embed_ticket_pkey PRIMARY KEY (ticket_hash)
);

CREATE INDEX embed_ticket_by_age ON public.embed_ticket USING btree (expires_at);

CREATE INDEX embed_ticket_by_family ON public.embed_ticket USING btree (family_id);

create table event (
  id uuid not null default gen_random_uuid(),
  number bigint not null generated always as identity,
  "position" bigint,
  type text not null,
  occurred_at timestamp with time zone not null,
  account_id uuid not null,
  subject uuid not null,
  meeting_id uuid,
  app_id uuid,
  sequence bigint,
  data jsonb not null,
  acting_grant_id uuid,
  constraint event_pkey PRIMARY KEY (id)
);

CREATE INDEX event_of_account ON public.event USING btree (account_id, "position") WHERE ("position" IS NOT NULL);

CREATE INDEX event_of_acting_grant ON public.event USING btree (acting_grant_id, "position") WHERE (("position" IS NOT NULL) AND (acting_grant_id IS NOT NULL));

CREATE INDEX event_of_meeting ON public.event USING btree (meeting_id, "position") WHERE (("position" IS NOT NULL) AND (meeting_id IS NOT NULL));

CREATE UNIQUE INDEX event_position ON public.event USING btree ("position") WHERE ("position" IS NOT NULL);

CREATE INDEX event_unpublished ON public.event USING btree (number) WHERE ("position" IS NULL);

create table event_counter (
  meeting_id uuid not null,
  last_sequence bigint not null,
  constraint event_counter_pkey PRIMARY KEY (meeting_id)
);

create table event_log (
  singleton boolean not null default true,
  last_position bigint not null,
  deleted_position bigint not null,
  constraint event_log_pkey PRIMARY KEY (singleton),
  constraint event_log_singleton_check CHECK (singleton)
);

create table guest_delivery (
  meeting_id uuid not null,
  email_key text not null,
  email text not null,
  held_sequence integer,
  pending boolean not null default false,
  revision integer not null default 0,
  sender_id uuid,
  wanted_at timestamp with time zone,
  reminder_for timestamp with time zone,
  reminder_id uuid,
  last_mail_at timestamp with time zone,
  failing_since timestamp with time zone,
  job_id bigint,
  unreported text,
  resend boolean not null default false,
  invited_by uuid,
  reminder_sender_id uuid,
  reminder_wanted_at timestamp with time zone,
  wait_until timestamp with time zone,
  asks boolean not null default false,
  message text,
  message_by uuid,
  message_at timestamp with time zone,
  constraint guest_delivery_message_by_fkey FOREIGN KEY (message_by) REFERENCES account(id),
  constraint guest_delivery_pkey PRIMARY KEY (meeting_id, email_key)
) with (fillfactor=80);

CREATE INDEX guest_delivery_by_reminder_sender ON public.guest_delivery USING btree (reminder_sender_id, reminder_wanted_at) WHERE ((reminder_for IS NOT NULL) AND (reminder_id IS NULL));

CREATE INDEX guest_delivery_by_sender ON public.guest_delivery USING btree (sender_id, wanted_at) WHERE pending;

CREATE INDEX guest_delivery_ended ON public.guest_delivery USING btree (last_mail_at) WHERE ((held_sequence IS NULL) AND (NOT pending));

create table guest_mail (
  meeting_id uuid not null,
  email_key text not null,
  id uuid not null,
  kind text not null,
  sequence integer not null,
  state_sequence integer not null,
  date timestamp with time zone,
  sender_id uuid,
  started_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  outcome text not null,
  constraint guest_mail_outcome_check CHECK ((outcome = ANY (ARRAY['unknown'::text, 'sent'::text, 'superseded'::text]))),
  constraint guest_mail_pkey PRIMARY KEY (meeting_id, email_key, id)
) with (fillfactor=80);

CREATE INDEX guest_mail_by_address ON public.guest_mail USING btree (email_key, started_at);

CREATE INDEX guest_mail_by_age ON public.guest_mail USING brin (started_at);

CREATE INDEX guest_mail_by_sender ON public.guest_mail USING btree (sender_id, started_at) WHERE (sender_id IS NOT NULL);

create table hand_over (
  meeting_id uuid not null,
  account_id uuid not null,
  offered_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  mailed_at timestamp with time zone,
  declined_at timestamp with time zone,
  constraint hand_over_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint hand_over_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE,
  constraint hand_over_pkey PRIMARY KEY (meeting_id, account_id)
);

CREATE INDEX hand_over_by_account ON public.hand_over USING btree (account_id, expires_at);

create table hosted_meeting_count (
  host_id uuid not null,
  shard smallint not null,
  active integer not null,
  cancelled integer not null,
  participants integer not null default 0,
  text_bytes bigint not null default 0,
  constraint hosted_meeting_count_host_id_fkey FOREIGN KEY (host_id) REFERENCES account(id),
  constraint hosted_meeting_count_pkey PRIMARY KEY (host_id, shard)
) with (fillfactor=50);

create table idempotency_key (
  account_id uuid not null,
  endpoint text not null,
  key text not null,
  request_hash bytea not null,
  sealed_answer bytea not null,
  created_at timestamp with time zone not null,
  constraint idempotency_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint idempotency_key_pkey PRIMARY KEY (account_id, endpoint, key)
);

CREATE INDEX idempotency_key_by_age ON public.idempotency_key USING btree (created_at);

create table idempotency_usage (
  account_id uuid not null,
  since timestamp with time zone not null,
  stored_bytes bigint not null,
  constraint idempotency_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint idempotency_usage_pkey PRIMARY KEY (account_id)
);

create table known_network (
  account_id uuid not null,
  network_hash bytea not null,
  last_used_at timestamp with time zone not null,
  constraint known_network_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint known_network_pkey PRIMARY KEY (account_id, network_hash)
);

CREATE INDEX known_network_by_age ON public.known_network USING btree (last_used_at);

create table mailed_link (
  token_hash bytea not null,
  account_id uuid not null,
  purpose text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint mailed_link_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint mailed_link_pkey PRIMARY KEY (token_hash),
  constraint mailed_link_purpose_check CHECK ((purpose = ANY (ARRAY['verify-email'::text, 'reset-password'::text])))
);

CREATE INDEX mailed_link_by_account ON public.mailed_link USING btree (account_id);

CREATE INDEX mailed_link_by_expiry ON public.mailed_link USING btree (expires_at);

create table media_engine (
  singleton boolean not null default true,
  address text not null,
  machine text not null,
  constraint media_engine_pkey PRIMARY KEY (singleton),
  constraint media_engine_singleton_check CHECK (singleton)
);

create table meeting (
  id uuid not null,
  code text not null,
  host_id uuid not null,
  modified_by uuid not null,
  topic text not null,
  description text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  time_zone text not null,
  time_zone_iana text not null,
  recurrence jsonb not null,
  recurring boolean not null generated always as (((recurrence ->> 'repeat'::text) <> 'none'::text)) stored,
  ends_by timestamp with time zone,
  over_at timestamp with time zone not null,
  options jsonb not null,
  sealed_secrets bytea not null,
  version integer not null default 0,
  cancelled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  modified_at timestamp with time zone not null,
  app_id uuid,
  sequence integer not null default 0,
  reminder_minutes integer,
  invitation_mailed boolean not null default false,
  reminder_mailed boolean not null default false,
  cancellation_mailed boolean not null default false,
  state_sequence integer not null,
  reply_address text,
  asked_sequence integer not null default 0,
  continues uuid,
  continued_from timestamp with time zone,
  last_starts_at timestamp with time zone not null generated always as (GREATEST(starts_at, (((over_at AT TIME ZONE 'UTC'::text) - (ends_at - starts_at)) AT TIME ZONE 'UTC'::text))) stored,
  text_authors jsonb not null,
  location text not null default ''::text,
  colour_seed uuid,
  constraint meeting_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id),
  constraint meeting_code_key UNIQUE (code),
  constraint meeting_continues_fkey FOREIGN KEY (continues) REFERENCES meeting(id) ON DELETE SET NULL,
  constraint meeting_host_id_fkey FOREIGN KEY (host_id) REFERENCES account(id),
  constraint meeting_modified_by_fkey FOREIGN KEY (modified_by) REFERENCES account(id),
  constraint meeting_pkey PRIMARY KEY (id)
);

CREATE INDEX cancelled_by_host ON public.meeting USING btree (host_id, last_starts_at, id) WHERE (cancelled_at IS NOT NULL);

CREATE INDEX cancelled_series_by_host ON public.meeting USING btree (host_id, over_at) WHERE (recurring AND (cancelled_at IS NOT NULL));

CREATE UNIQUE INDEX meeting_by_continued ON public.meeting USING btree (continues) WHERE (continues IS NOT NULL);

CREATE INDEX meeting_by_host ON public.meeting USING btree (host_id, last_starts_at, id);

CREATE INDEX meeting_by_host_and_end ON public.meeting USING btree (host_id, over_at);

CREATE INDEX series_by_host ON public.meeting USING btree (host_id, id) WHERE recurring;

CREATE INDEX series_by_host_and_end ON public.meeting USING btree (host_id, over_at) WHERE recurring;

create table meeting_colour (
  account_id uuid not null,
  meeting_id uuid not null,
  colour text not null,
  constraint meeting_colour_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint meeting_colour_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE,
  constraint meeting_colour_pkey PRIMARY KEY (account_id, meeting_id)
);

CREATE INDEX meeting_colour_of_meeting ON public.meeting_colour USING btree (meeting_id);

create table meeting_reminder (
  meeting_id uuid not null,
  occurrence timestamp with time zone not null,
  due_at timestamp with time zone not null,
  constraint meeting_reminder_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id),
  constraint meeting_reminder_pkey PRIMARY KEY (meeting_id)
) with (fillfactor=80);

CREATE INDEX meeting_reminder_by_time ON public.meeting_reminder USING btree (due_at);

create table meeting_state (
  meeting_id uuid not null,
  sequence integer not null,
  sealed_content bytea not null,
  created_at timestamp with time zone not null,
  constraint meeting_state_pkey PRIMARY KEY (meeting_id, sequence)
);

create table meeting_template (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  content jsonb not null,
  created_at timestamp with time zone not null,
  modified_at timestamp with time zone not null,
  constraint meeting_template_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint meeting_template_pkey PRIMARY KEY (id)
);

CREATE INDEX meeting_template_by_account ON public.meeting_template USING btree (account_id, id);

create table notification (
  id uuid not null default gen_random_uuid(),
  number bigint not null generated always as identity,
  account_id uuid not null,
  kind text not null,
  occurred_at timestamp with time zone not null,
  meeting_id uuid,
  app_id uuid,
  by_address boolean not null,
  data jsonb not null,
  read_at timestamp with time zone,
  constraint notification_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint notification_pkey PRIMARY KEY (id)
);

CREATE INDEX notification_by_age ON public.notification USING btree (occurred_at);

CREATE INDEX notification_of_account ON public.notification USING btree (account_id, number DESC);

create table oauth_access_request (
  account_id uuid not null,
  reason text not null,
  created_at timestamp with time zone not null,
  declined_at timestamp with time zone,
  decline_reason text not null default ''::text,
  notified_at timestamp with time zone,
  constraint oauth_access_request_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint oauth_access_request_pkey PRIMARY KEY (account_id)
);

create table occurrence_response (
  meeting_id uuid not null,
  email_key text not null,
  original_start timestamp with time zone not null,
  response text not null,
  responded_at timestamp with time zone not null,
  comment text,
  recorded_at timestamp with time zone not null,
  constraint occurrence_response_meeting_id_email_key_fkey FOREIGN KEY (meeting_id, email_key) REFERENCES participant(meeting_id, email_key) ON DELETE CASCADE,
  constraint occurrence_response_pkey PRIMARY KEY (meeting_id, email_key, original_start),
  constraint occurrence_response_response_check CHECK ((response = ANY (ARRAY['accepted'::text, 'tentative'::text, 'declined'::text])))
);

CREATE INDEX occurrence_response_by_start ON public.occurrence_response USING btree (meeting_id, original_start);

create table participant (
  meeting_id uuid not null,
  email_key text not null,
  email text not null,
  "position" integer not null,
  invited boolean not null,
  cohost boolean not null,
  starts_at timestamp with time zone not null,
  meeting_cancelled boolean not null default false,
  response text,
  mail_failed_at timestamp with time zone,
  mail_delayed_until timestamp with time zone,
  meeting_recurring boolean not null default false,
  responded_at timestamp with time zone,
  response_comment text,
  response_recorded_at timestamp with time zone,
  blocked boolean not null default false,
  asked_at timestamp with time zone,
  display_name text not null default ''::text,
  constraint participant_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id),
  constraint participant_pkey PRIMARY KEY (meeting_id, email_key),
  constraint participant_response_check CHECK ((response = ANY (ARRAY['accepted'::text, 'tentative'::text, 'declined'::text])))
);

CREATE INDEX participant_by_address ON public.participant USING btree (email_key, starts_at, meeting_id) INCLUDE (meeting_cancelled, meeting_recurring, blocked);

CREATE INDEX series_by_address ON public.participant USING btree (email_key, meeting_id) INCLUDE (blocked) WHERE meeting_recurring;

create table passkey (
  id uuid not null,
  account_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  synced boolean not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  suspected_at timestamp with time zone,
  constraint passkey_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint passkey_credential_id_key UNIQUE (credential_id),
  constraint passkey_pkey PRIMARY KEY (id)
);

CREATE INDEX passkey_by_account ON public.passkey USING btree (account_id, id);

create table passkey_challenge (
  challenge_hash bytea not null,
  session_id uuid,
  expires_at timestamp with time zone not null,
  constraint passkey_challenge_pkey PRIMARY KEY (challenge_hash)
);

CREATE INDEX passkey_challenge_by_expiry ON public.passkey_challenge USING btree (expires_at);

create table pending_sign_up (
  token_hash bytea not null,
  account_id uuid not null,
  email text not null,
  email_key text not null,
  password_hash text not null,
  name text not null,
  lname text not null,
  time_zone text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  language text not null default ''::text,
  may_be_first boolean not null default false,
  constraint pending_sign_up_pkey PRIMARY KEY (token_hash)
);

CREATE INDEX pending_sign_up_by_address ON public.pending_sign_up USING btree (email_key, created_at);

CREATE INDEX pending_sign_up_by_expiry ON public.pending_sign_up USING btree (expires_at);

create table personal_token (
  id uuid not null,
  account_id uuid not null,
  token_hash bytea not null,
  name text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint personal_token_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint personal_token_pkey PRIMARY KEY (id),
  constraint personal_token_token_hash_key UNIQUE (token_hash)
);

CREATE INDEX personal_token_by_account ON public.personal_token USING btree (account_id, id);

create table provider_identity (
  issuer text not null,
  subject text not null,
  account_id uuid not null,
  created_at timestamp with time zone not null,
  constraint provider_identity_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint provider_identity_pkey PRIMARY KEY (issuer, subject)
);

CREATE INDEX provider_identity_by_account ON public.provider_identity USING btree (account_id);

create table provider_sign_in (
  state_hash bytea not null,
  browser_hash bytea not null,
  sealed_secrets bytea not null,
  return_to text not null,
  expires_at timestamp with time zone not null,
  constraint provider_sign_in_pkey PRIMARY KEY (state_hash)
);

CREATE INDEX provider_sign_in_by_expiry ON public.provider_sign_in USING btree (expires_at);

create table push_key (
  singleton boolean not null default true,
  encrypted_private_key bytea not null,
  constraint push_key_pkey PRIMARY KEY (singleton),
  constraint push_key_singleton_check CHECK (singleton)
);

create table push_subscription (
  id uuid not null default gen_random_uuid(),
  session_id uuid not null,
  account_id uuid not null,
  endpoint_hash bytea not null,
  service text not null,
  encrypted_receiver bytea not null,
  language text not null,
  created_at timestamp with time zone not null,
  failures integer not null default 0,
  constraint push_subscription_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint push_subscription_endpoint_hash_key UNIQUE (endpoint_hash),
  constraint push_subscription_pkey PRIMARY KEY (id),
  constraint push_subscription_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id) ON DELETE CASCADE,
  constraint push_subscription_session_id_key UNIQUE (session_id)
);

CREATE INDEX push_subscription_by_account ON public.push_subscription USING btree (account_id, created_at);

create table quiet_invitation (
  account_id uuid not null,
  invited_at timestamp with time zone not null,
  people integer not null,
  constraint quiet_invitation_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

CREATE INDEX quiet_invitation_by_account ON public.quiet_invitation USING btree (account_id, invited_at);

create table refresh_token (
  token_hash bytea not null,
  family_id uuid not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  rotated_at timestamp with time zone,
  constraint refresh_token_pkey PRIMARY KEY (token_hash)
) with (fillfactor=70);

CREATE INDEX refresh_token_by_age ON public.refresh_token USING btree (expires_at);

create table reply_generation (
  meeting_id uuid not null,
  email_key text not null,
  generation integer not null default 1,
  constraint reply_generation_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE,
  constraint reply_generation_pkey PRIMARY KEY (meeting_id, email_key)
);

create table review_reading (
  app_id uuid not null,
  reviewer_id uuid not null,
  revision integer not null,
  logo_hash bytea,
  read_at timestamp with time zone not null,
  constraint review_reading_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id),
  constraint review_reading_pkey PRIMARY KEY (app_id, reviewer_id),
  constraint review_reading_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES account(id)
);

create table room (
  meeting_id uuid not null,
  locked_at timestamp with time zone,
  ended_at timestamp with time zone,
  asks_new_guests_since timestamp with time zone,
  asks_new_guests_for timestamp with time zone,
  rights jsonb not null default '{}'::jsonb,
  rights_for timestamp with time zone,
  spotlight jsonb not null default '[]'::jsonb,
  call_ends_at timestamp with time zone,
  breakout jsonb,
  constraint room_check CHECK (((asks_new_guests_since IS NULL) = (asks_new_guests_for IS NULL))),
  constraint room_pkey PRIMARY KEY (meeting_id)
);

create table room_session (
  id uuid not null,
  meeting_id uuid not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint room_session_pkey PRIMARY KEY (id)
);

CREATE INDEX room_session_by_end ON public.room_session USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX room_session_by_start ON public.room_session USING btree (meeting_id, started_at, id);

CREATE UNIQUE INDEX room_session_going_on ON public.room_session USING btree (meeting_id) WHERE (ended_at IS NULL);

create table room_stay (
  id uuid not null,
  session_id uuid not null,
  meeting_id uuid not null,
  admission_id uuid not null,
  account_id uuid,
  name text not null,
  role text not null,
  participant_sid text not null,
  joined_at timestamp with time zone not null,
  left_at timestamp with time zone,
  constraint room_stay_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint room_stay_admission_id_fkey FOREIGN KEY (admission_id) REFERENCES admission(id),
  constraint room_stay_participant_sid_key UNIQUE (participant_sid),
  constraint room_stay_pkey PRIMARY KEY (id),
  constraint room_stay_role_check CHECK ((role = ANY (ARRAY['host'::text, 'cohost'::text, 'participant'::text]))),
  constraint room_stay_session_id_fkey FOREIGN KEY (session_id) REFERENCES room_session(id)
);

CREATE INDEX room_stay_by_admission ON public.room_stay USING btree (admission_id) WHERE (left_at IS NULL);

CREATE INDEX room_stay_by_meeting ON public.room_stay USING btree (meeting_id, joined_at, id);

CREATE INDEX room_stay_by_session ON public.room_stay USING btree (session_id, joined_at, id);

CREATE INDEX room_stay_going_on ON public.room_stay USING btree (meeting_id) WHERE (left_at IS NULL);

create table schema_migration (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table session (
  id uuid not null,
  account_id uuid not null,
  token_hash bytea not null,
  address text not null,
  user_agent text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint session_pkey PRIMARY KEY (id),
  constraint session_token_hash_key UNIQUE (token_hash)
);

CREATE INDEX session_by_account ON public.session USING btree (account_id, id);

CREATE INDEX session_by_expiry ON public.session USING btree (expires_at);

create table sign_up_invitation (
  token_hash bytea not null,
  email_key text not null,
  invited_by uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  link_shown boolean not null default false,
  id uuid not null default gen_random_uuid(),
  constraint sign_up_invitation_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES account(id),
  constraint sign_up_invitation_pkey PRIMARY KEY (token_hash)
);

CREATE INDEX sign_up_invitation_by_expiry ON public.sign_up_invitation USING btree (expires_at);

CREATE UNIQUE INDEX sign_up_invitation_by_id ON public.sign_up_invitation USING btree (id);

CREATE INDEX sign_up_invitation_by_inviter ON public.sign_up_invitation USING btree (invited_by);

create table skipped_occurrence (
  meeting_id uuid not null,
  starts_at timestamp with time zone not null,
  skipped_by uuid not null,
  skipped_at timestamp with time zone not null,
  constraint skipped_occurrence_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id),
  constraint skipped_occurrence_pkey PRIMARY KEY (meeting_id, starts_at),
  constraint skipped_occurrence_skipped_by_fkey FOREIGN KEY (skipped_by) REFERENCES account(id)
);

create table start_check (
  meeting_id uuid not null,
  check_at timestamp with time zone not null,
  constraint start_check_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id) ON DELETE CASCADE,
  constraint start_check_pkey PRIMARY KEY (meeting_id)
);

CREATE INDEX start_check_by_time ON public.start_check USING btree (check_at);

create table stopped_reminder (
  meeting_id uuid not null,
  email_key text not null,
  stopped_at timestamp with time zone not null,
  constraint stopped_reminder_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id),
  constraint stopped_reminder_pkey PRIMARY KEY (meeting_id, email_key)
);

create table tenant (
  id uuid not null,
  name text not null,
  created_at timestamp with time zone not null,
  first_call_at timestamp with time zone,
  brand jsonb not null default '{}'::jsonb,
  constraint tenant_name_key UNIQUE (name),
  constraint tenant_pkey PRIMARY KEY (id)
);

create table tenant_logo (
  tenant_id uuid not null,
  ground text not null,
  digest text not null,
  media_type text not null,
  bytes bytea not null,
  created_at timestamp with time zone not null,
  constraint tenant_logo_ground_check CHECK ((ground = ANY (ARRAY['light'::text, 'dark'::text]))),
  constraint tenant_logo_pkey PRIMARY KEY (tenant_id, ground),
  constraint tenant_logo_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id)
);

CREATE INDEX tenant_logo_by_digest ON public.tenant_logo USING btree (digest);

create table time_proposal (
  id uuid not null,
  meeting_id uuid not null,
  email_key text not null,
  original_start timestamp with time zone,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  comment text,
  proposed_at timestamp with time zone not null,
  dismissed_at timestamp with time zone,
  recorded_at timestamp with time zone not null,
  constraint time_proposal_check CHECK ((ends_at > starts_at)),
  constraint time_proposal_meeting_id_email_key_fkey FOREIGN KEY (meeting_id, email_key) REFERENCES participant(meeting_id, email_key) ON DELETE CASCADE,
  constraint time_proposal_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX time_proposal_of_guest ON public.time_proposal USING btree (meeting_id, email_key, COALESCE(original_start, '-infinity'::timestamp with time zone));

create table token_family (
  id uuid not null,
  grant_id uuid not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_because text,
  resource text,
  constraint token_family_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES app_grant(id),
  constraint token_family_pkey PRIMARY KEY (id),
  constraint token_family_resource_check CHECK ((resource = ANY (ARRAY['api'::text, 'mcp'::text])))
);

CREATE INDEX token_family_by_grant ON public.token_family USING btree (grant_id);

create table undoable_cancellation (
  meeting_id uuid not null,
  cancelled_by uuid not null,
  undoable_until timestamp with time zone not null,
  version integer not null,
  undone_at timestamp with time zone,
  recurrence jsonb not null,
  ends_by timestamp with time zone,
  over_at timestamp with time zone not null,
  former_rows jsonb not null,
  constraint undoable_cancellation_cancelled_by_fkey FOREIGN KEY (cancelled_by) REFERENCES account(id),
  constraint undoable_cancellation_meeting_id_fkey FOREIGN KEY (meeting_id) REFERENCES meeting(id),
  constraint undoable_cancellation_pkey PRIMARY KEY (meeting_id)
);

CREATE INDEX undoable_cancellation_by_time ON public.undoable_cancellation USING btree (undoable_until);

create table webhook (
  id uuid not null,
  owner text not null,
  account_id uuid not null,
  app_id uuid,
  sandbox boolean not null default false,
  grant_id uuid,
  url text not null,
  types text[] not null,
  payload text not null,
  description text not null,
  encrypted_secret bytea not null,
  encrypted_previous_secret bytea,
  previous_secret_until timestamp with time zone,
  created_at timestamp with time zone not null,
  modified_at timestamp with time zone not null,
  failing_since timestamp with time zone,
  last_success_at timestamp with time zone,
  warned_at timestamp with time zone,
  disabled_at timestamp with time zone,
  disabled_because text,
  next_probe_at timestamp with time zone,
  personal_token_id uuid,
  constraint webhook_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint webhook_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id) ON DELETE CASCADE,
  constraint webhook_check CHECK (((owner = ANY (ARRAY['app'::text, 'grant'::text])) = (app_id IS NOT NULL))),
  constraint webhook_check1 CHECK (((owner = 'grant'::text) = (grant_id IS NOT NULL))),
  constraint webhook_check2 CHECK (((disabled_at IS NULL) = (disabled_because IS NULL))),
  constraint webhook_check3 CHECK (((personal_token_id IS NULL) OR (owner = 'person'::text))),
  constraint webhook_disabled_because_check CHECK ((disabled_because = ANY (ARRAY['owner'::text, 'signed_out'::text, 'gone'::text, 'no_success'::text]))),
  constraint webhook_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES app_grant(id) ON DELETE CASCADE,
  constraint webhook_owner_check CHECK ((owner = ANY (ARRAY['person'::text, 'app'::text, 'grant'::text, 'organisation'::text]))),
  constraint webhook_payload_check CHECK ((payload = ANY (ARRAY['thin'::text, 'full'::text]))),
  constraint webhook_pkey PRIMARY KEY (id)
);

CREATE INDEX webhook_by_account ON public.webhook USING btree (account_id);

CREATE INDEX webhook_by_app ON public.webhook USING btree (app_id) WHERE (app_id IS NOT NULL);

CREATE INDEX webhook_by_grant ON public.webhook USING btree (grant_id) WHERE (grant_id IS NOT NULL);

CREATE INDEX webhook_by_personal_token ON public.webhook USING btree (personal_token_id) WHERE (personal_token_id IS NOT NULL);

CREATE INDEX webhook_failing ON public.webhook USING btree (failing_since) WHERE (failing_since IS NOT NULL);

CREATE INDEX webhook_of_organisations ON public.webhook USING btree (id) WHERE (owner = 'organisation'::text);

CREATE INDEX webhook_to_probe ON public.webhook USING btree (next_probe_at) WHERE (next_probe_at IS NOT NULL);

create table webhook_attempt (
  webhook_id uuid not null,
  event_id uuid not null,
  number integer not null,
  attempted_at timestamp with time zone not null,
  duration_ms integer not null,
  status integer,
  error text,
  request_headers jsonb not null,
  request_body text not null,
  response_headers jsonb,
  response_body text,
  constraint webhook_attempt_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id) ON DELETE CASCADE,
  constraint webhook_attempt_pkey PRIMARY KEY (webhook_id, event_id, number),
  constraint webhook_attempt_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON DELETE CASCADE
);

CREATE INDEX webhook_attempt_by_age ON public.webhook_attempt USING btree (attempted_at);

CREATE INDEX webhook_attempt_by_event ON public.webhook_attempt USING btree (event_id);

create table webhook_delivery (
  webhook_id uuid not null,
  event_id uuid not null,
  lane uuid not null,
  "position" bigint not null,
  state text not null,
  attempts integer not null default 0,
  attempts_before_resend integer not null default 0,
  first_attempt_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  last_status integer,
  constraint webhook_delivery_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id) ON DELETE CASCADE,
  constraint webhook_delivery_pkey PRIMARY KEY (webhook_id, event_id),
  constraint webhook_delivery_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text, 'withheld'::text]))),
  constraint webhook_delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON DELETE CASCADE
);

CREATE INDEX webhook_delivery_by_event ON public.webhook_delivery USING btree (event_id);

CREATE INDEX webhook_delivery_by_position ON public.webhook_delivery USING btree (webhook_id, "position" DESC);

CREATE INDEX webhook_delivery_failed ON public.webhook_delivery USING btree (webhook_id, "position" DESC) WHERE (state = 'failed'::text);

CREATE INDEX webhook_delivery_waiting ON public.webhook_delivery USING btree (webhook_id, lane, "position") WHERE (state = 'waiting'::text);

create table webhook_lane (
  webhook_id uuid not null,
  lane uuid not null,
  next_attempt_at timestamp with time zone not null,
  constraint webhook_lane_pkey PRIMARY KEY (webhook_id, lane),
  constraint webhook_lane_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON DELETE CASCADE
) with (fillfactor=80);

CREATE INDEX webhook_lane_by_time ON public.webhook_lane USING btree (webhook_id, next_attempt_at);

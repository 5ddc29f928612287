-- A declined request stays, so that the person reads why, until they ask again or OAuth is enabled.
alter table oauth_access_request
  add column declined_at timestamptz,
  add column decline_reason text not null default '',
  -- When administrators were mailed about the request, which limits those mails.
  add column notified_at timestamptz;

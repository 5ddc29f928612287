-- What a developer tells the reviewers: why the app needs each scope, how to test it, and the answer to their reasons.
alter table app
  add column scope_reasons jsonb not null default '{}',
  add column review_notes text not null default '';

alter table app_review add column answer text not null default '';

-- A page on a denied host is not fetched.
alter table app_check
  drop constraint app_check_result_check,
  add constraint app_check_result_check check (result in ('passed', 'noted', 'failed', 'not_tried'));

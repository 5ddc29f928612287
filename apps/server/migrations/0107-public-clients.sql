-- Which kind of client an app is (RFC 6749, 2.1). `native` and `single_page` apps are public: they keep no secret. The
-- type is fixed with the first submission, so that no client with secrets becomes one without.
alter table app add column client_type text not null default 'confidential'
  check (client_type in ('confidential', 'native', 'single_page'));

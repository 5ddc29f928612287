-- The origins of the pages that may embed meetings of an app's users. A new one is reviewed with its revision.
alter table app_revision add column embed_origins text[] not null default '{}';

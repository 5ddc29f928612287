-- Who last wrote the topic and the description of a meeting: {"topic": {"accountId", "grantId"}, "description": …}. The
-- host is not always the author, and programs with a language model trust the texts of their own user alone. Null:
-- written before this column, so that the author is not known. No foreign keys: a deleted grant stays an app's.
alter table meeting add column text_authors jsonb;

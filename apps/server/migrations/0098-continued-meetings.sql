-- A series that was split: `continues` is the meeting whose series this one continues. At most one continues each, so that
-- the parts of a series that is split several times form a chain. Deleting one part leaves the others.
alter table meeting add column continues uuid references meeting on delete set null;
create unique index meeting_by_continued on meeting (continues) where continues is not null;

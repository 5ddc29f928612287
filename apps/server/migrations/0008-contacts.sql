-- The words by which a person is found: those of the name and of the local part, the whole address and its domain, each
-- after the id of the list that the person is in, without accents and in lower case. A prefix of one of them, after the
-- same id, is one range of the index, whatever other lists hold.
create function person_words(list_id uuid, name text, email_key text) returns tsvector
  language sql immutable parallel safe
  return (
    select array_to_tsvector(array_agg(distinct list_id::text || left(word, 64)))
    from regexp_split_to_table(
      lower(regexp_replace(normalize(
        name || ' ' || email_key || ' ' || split_part(email_key, '@', 2) || ' ' ||
        regexp_replace(name || ' ' || split_part(email_key, '@', 1), '[!-/:-@[-`{-~]+', ' ', 'g'),
      nfkd), '[\u0300-\u036f]', '', 'g')),
      '[\s,;"<>()]+') as word
    where word <> ''
  );

-- People whom an account has invited. `familiarity` is log2 of the sum of 2^(t / 30 days) over the invitations at t since
-- 1970: it counts each invitation half as much after 30 days, and does not change while time passes.
create table contact (
  account_id uuid not null references account on delete cascade,
  email_key text not null,
  email text not null,
  name text not null,
  familiarity double precision not null,
  invited_at timestamptz not null,
  words tsvector not null generated always as (person_words(account_id, name, email_key)) stored,
  primary key (account_id, email_key)
);

insert into contact (account_id, email_key, email, name, familiarity, invited_at)
select m.host_id, p.email_key, max(p.email), '',
  extract(epoch from max(m.created_at))::float8 / 2592000 + ln(count(*)::float8) / ln(2::float8), max(m.created_at)
from participant p join meeting m on m.id = p.meeting_id group by m.host_id, p.email_key;

create index contact_by_familiarity on contact (account_id, familiarity desc);
create index contact_by_age on contact (invited_at);
create index contact_by_word on contact using gin (words) with (fastupdate = off);
create index account_by_word on account using gin (person_words(tenant_id, name || ' ' || lname, email_key))
  with (fastupdate = off) where deleted_at is null;

-- Whether colleagues find a person whom they have not met. On in organisations that TENANTS names.
update account set settings = settings || jsonb_build_object('suggestedToColleagues',
  tenant_id in (select id from tenant where name <> 'Default'));

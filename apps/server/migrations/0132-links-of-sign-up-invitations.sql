-- Where no mail server is set up, an administrator reads the link of an invitation and passes it on. Such a link does not
-- prove that its address belongs to the person who signs up with it; only a link that was mailed does.
alter table sign_up_invitation add column link_shown boolean not null default false;

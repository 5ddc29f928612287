-- Names an invitation to sign up where it is listed and revoked: the hash of its token is no name for the outside.
alter table sign_up_invitation add column id uuid not null default gen_random_uuid();
create unique index sign_up_invitation_by_id on sign_up_invitation (id);
create index sign_up_invitation_by_inviter on sign_up_invitation (invited_by);

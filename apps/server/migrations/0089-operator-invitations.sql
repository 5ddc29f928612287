-- The operator invites people without an account of their own.
alter table sign_up_invitation alter column invited_by drop not null;

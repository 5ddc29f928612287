-- Whether the sign-up was made by somebody who may make the first account, the administrator's: at the machine itself, or
-- with the set-up code (docs/operations.md, "The first account").
alter table pending_sign_up add column may_be_first boolean not null default false;

-- An app that is rejected or on hold works for its developer alone: invitations and grants of testers end, as they do with
-- such a decision from now on.
update app_tester t set removed_at = now() from app p
  where p.id = t.app_id and p.status in ('rejected', 'on_hold') and t.removed_at is null;
update app_grant g set revoked_at = now(), revoked_because = 'tester_removed' from app p
  where p.id = g.app_id and p.status in ('rejected', 'on_hold') and p.registration = 'portal'
    and g.sandbox and g.revoked_at is null and g.account_id is distinct from p.owner_id;

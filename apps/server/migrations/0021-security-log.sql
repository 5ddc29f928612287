-- A person's own security log, the newest first.
create index audit_entry_by_subject on audit_entry (subject_id, id);

-- Who signed in, or tried to, is forgotten after half a year; what was changed is kept.
create index audit_entry_of_sign_ins on audit_entry (created_at)
  where action in ('session.begun', 'session.ended', 'sessions.ended', 'sign-in.refused');

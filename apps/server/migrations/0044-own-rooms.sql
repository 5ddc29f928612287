-- A room is a meeting's, or an account's own (account.room_id): no one table holds both. Neither is ever deleted.
alter table room drop constraint room_meeting_id_fkey;
alter table admission drop constraint admission_meeting_id_fkey;
alter table room_session drop constraint room_session_meeting_id_fkey;
alter table room_stay drop constraint room_stay_meeting_id_fkey;

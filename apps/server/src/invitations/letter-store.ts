import type { InvitationResponse } from '@parley/contract'
import type { LetterKind } from '@parley/rules/invitation-changes'
import type { Language } from '@parley/rules/language'
import type { Database } from '../../migrations/tables.ts'
import { statement } from '../platform/database.ts'

/** The names of one letter, as its job bears them. */
export type LetterName = { meetingId: string; addressKey: string; noticeId: string }

export type LetterRow = LetterName & {
  email: string
  kind: LetterKind
  sentAt: Date | null
  failedAt: Date | null
  sequence: number
  sealedContent: Buffer
  createdAt: Date
  host: { name: string; lname: string; email: string; language: Language | '' }
  /** The account with this address, if it is confirmed: in whose zone and language the letter is. */
  reader: { name: string; lname: string; timeZone: string; language: Language | '' } | null
  response: InvitationResponse | null
  reminderMinutes: number | null
  /** Earlier letters about the meeting to the same person, the oldest first. */
  earlier: readonly string[]
}

/** A thread of this length is found by its last letters as well; headers must not grow for ever. */
const mostEarlier = 20

const findStatement = statement<LetterRow>(
  'find-letter',
  `select l.meeting_id as "meetingId", l.email_key as "addressKey", l.notice_id as "noticeId", l.email, l.kind,
    l.sent_at as "sentAt", l.failed_at as "failedAt", n.sequence, n.sealed_content as "sealedContent",
    n.created_at as "createdAt", m.reminder_minutes as "reminderMinutes",
    json_build_object('name', h.name, 'lname', h.lname, 'email', h.email, 'language', h.language) as host,
    case when a.id is not null then json_build_object('name', a.name, 'lname', a.lname, 'timeZone', a.time_zone,
      'language', a.language) end as reader,
    p.response,
    array(select e.notice_id from (
      select notice_id from meeting_letter e
      where e.meeting_id = l.meeting_id and e.email_key = l.email_key and e.notice_id < l.notice_id
      order by notice_id desc limit ${mostEarlier}
    ) e order by e.notice_id) as earlier
  from meeting_letter l
    join meeting_notice n on n.id = l.notice_id
    join meeting m on m.id = l.meeting_id
    join account h on h.id = m.host_id
    left join account a on a.email_key = l.email_key and (a.email_verified_at is not null or $4)
    left join participant p on p.meeting_id = l.meeting_id and p.email_key = l.email_key
  where l.meeting_id = $1 and l.email_key = $2 and l.notice_id = $3`,
)

export async function findLetter(
  database: Database,
  { meetingId, addressKey, noticeId }: LetterName,
  everyAddressConfirmed: boolean,
): Promise<LetterRow | undefined> {
  const [found] = await findStatement(database, [meetingId, addressKey, noticeId, everyAddressConfirmed])
  return found
}

/** Which of the meeting's `notificationsSend` a letter turns true. That one person is left out cancels nothing. */
const flags: Record<LetterKind, string | undefined> = {
  invitation: 'invitation_mailed',
  update: 'invitation_mailed',
  cancellation: 'cancellation_mailed',
  removal: undefined,
  'occurrence-cancellation': 'cancellation_mailed',
  'series-end': 'cancellation_mailed',
  reminder: 'reminder_mailed',
}

const sentStatement = statement(
  'mark-letter-sent',
  'update meeting_letter set sent_at = $4 where meeting_id = $1 and email_key = $2 and notice_id = $3',
)

/** The mail server, or the disk, has it. Touches no row that anybody else could hold: what is not noted is sent again. */
export async function markSent(database: Database, letter: LetterName, now: Date): Promise<void> {
  await sentStatement(database, [letter.meetingId, letter.addressKey, letter.noticeId, now])
}

/** One statement a flag. The meeting's row is written once, not with each letter, and its version stays (meetings.md 8.14). */
const reachedStatements = new Map(
  [...new Set(Object.values(flags))].map((flag) => [
    flag,
    statement(
      'mark-guest-reached',
      `with reached as (
        update participant set mail_failed_at = null
        where meeting_id = $1 and email_key = $2 and mail_failed_at is not null
      ) ${flag === undefined ? 'select 1' : `update meeting set ${flag} = true where id = $1 and not ${flag}`}`,
    ),
  ]),
)

/** Says with the meeting that a letter was handed over. May be done again. */
export async function markReached(database: Database, { meetingId, addressKey, kind }: LetterRow): Promise<void> {
  await reachedStatements.get(flags[kind])?.(database, [meetingId, addressKey])
}

const failedStatement = statement(
  'mark-letter-failed',
  `with failed as (
    update meeting_letter set failed_at = $4 where meeting_id = $1 and email_key = $2 and notice_id = $3
  ) update participant set mail_failed_at = $4 where meeting_id = $1 and email_key = $2`,
)

/** It is given up, and the host sees which address it was. */
export async function markFailed(database: Database, letter: LetterName, now: Date): Promise<void> {
  await failedStatement(database, [letter.meetingId, letter.addressKey, letter.noticeId, now])
}

/** It is of no use to anybody any more. */
export const dropLetter = (database: Database, { meetingId, addressKey, noticeId }: LetterName) =>
  database
    .deleteFrom('meetingLetter')
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .where('noticeId', '=', noticeId)
    .execute()

/** What a thread and a look into a complaint need; answers and calendars do not depend on it. */
const noticeLifetimeMs = 180 * 24 * 60 * 60 * 1000
const mostForgottenAtOnce = 1_000

const forgetStatement = statement(
  'forget-notices',
  `with old as (select id from meeting_notice where created_at < $1 order by created_at limit ${mostForgottenAtOnce}),
    letters as (delete from meeting_letter where notice_id in (select id from old))
  delete from meeting_notice where id in (select id from old)`,
)

export async function forgetOldNotices(database: Database, now: Date): Promise<void> {
  await forgetStatement(database, [new Date(now.getTime() - noticeLifetimeMs)])
}

import type { ChangedField, InvitationPlan, InvitedMeeting, LetterKind } from '@parley/rules/invitation-changes'
import type { Series } from '@parley/rules/recurrence'
import type { Tx } from '../../migrations/tables.ts'
import type { Service } from '../access/service.ts'
import { statement } from '../platform/database.ts'
import { jobsOfRows } from '../platform/jobs.ts'
import type { SealedBox } from '../platform/sealed-box.ts'

/** The task that mails one letter; the invitations room does it, this one only names it. */
export const letterTask = 'mail-meeting-letter'

/** The task itself ends the tries after a day; processes that die use some of these up. */
const mostLetterAttempts = 50

/** A reminder is of use for minutes, an invitation for days; what accounts are mailed goes before both. */
const letterPriority = `case letter.kind when 'reminder' then 5 else 10 end`

type Told = Omit<InvitedMeeting, 'guests'>

/** What letters are written from: the meeting as it was when it was told of. */
export type NoticeContent = Told & {
  changed: readonly ChangedField[]
  /** Before a change. */
  former: Told | null
  /** The date that is cancelled, the first of those that are, or the one that is reminded of. */
  date: Date | null
}

export type Notice = {
  id: string
  sequence: number
  /** On whose account it is counted: who caused it, and of a reminder the host. */
  actorId: string
  sealedContent: Buffer
  createdAt: Date
  letters: readonly { addressKey: string; email: string; kind: LetterKind }[]
}

export type NoticeDraft = Pick<Notice, 'sequence' | 'actorId'> & {
  now: Date
  plan: Pick<InvitationPlan, 'letters' | 'changed' | 'series' | 'cancelledFrom'>
  meeting: Told
  former?: Told
  /** Whoever the plan may name. */
  people: readonly { addressKey: string; email: string }[]
}

/** What is to be told, ready to be kept; undefined when nobody is mailed. */
export function draftNotice(
  { random, sealedBox }: Pick<Service, 'random' | 'sealedBox'>,
  { sequence, actorId, now, plan, meeting, former, people }: NoticeDraft,
): Notice | undefined {
  if (plan.letters.length === 0) return undefined
  const emails = new Map(people.map(({ addressKey, email }) => [addressKey, email]))
  const content: NoticeContent = {
    ...toldOf(meeting),
    series: plan.series,
    changed: plan.changed,
    former: former ? toldOf(former) : null,
    date: plan.cancelledFrom,
  }
  return {
    id: random.uuid(now),
    sequence,
    actorId,
    sealedContent: sealedBox.seal(JSON.stringify(content), purpose),
    createdAt: now,
    letters: plan.letters.map(({ addressKey, kind }) => ({
      addressKey,
      email: emails.get(addressKey) ?? addressKey,
      kind,
    })),
  }
}

const toldOf = ({ topic, description, code, pin, series }: Told): Told => ({ topic, description, code, pin, series })

const purpose = 'meeting notice'

export function openNotice(box: SealedBox, sealed: Buffer): NoticeContent {
  // Only `draftNotice` writes these.
  const { series, former, date, ...rest } = JSON.parse(box.open(sealed, purpose))
  return {
    ...rest,
    series: readSeries(series),
    former: former && { ...former, series: readSeries(former.series) },
    date: readDate(date),
  }
}

/** As JSON writes them. */
type WrittenSeries = Omit<Series, 'startsAt' | 'endsBy' | 'excluded'> & {
  startsAt: string
  endsBy: string | null
  excluded: string[]
}

const readSeries = ({ startsAt, endsBy, excluded, ...rest }: WrittenSeries): Series => ({
  ...rest,
  startsAt: new Date(startsAt),
  endsBy: readDate(endsBy),
  excluded: excluded.map((date) => new Date(date)),
})

const readDate = (text: string | null) => (text === null ? null : new Date(text))

/**
 * The parts of a statement that keeps a notice, its letters and their jobs, of the meeting in `meeting`, a table
 * expression with an id. The values are those of `noticeValues`, from `$first` on.
 */
export function noticeClauses(meeting: string, first: number): { ctes: string; jobs: string } {
  const [id, sequence, actorId, content, createdAt, keys, emails, kinds] = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (offset) => `$${first + offset}`,
  )
  return {
    ctes: `noticed as (
      insert into meeting_notice (id, meeting_id, sequence, actor_id, letters, sealed_content, created_at)
      select ${id}::uuid, ${meeting}.id, ${sequence}::integer, ${actorId}::uuid, cardinality(${keys}::text[]),
        ${content}::bytea, ${createdAt}::timestamptz
      from ${meeting}
    ), lettered as (
      insert into meeting_letter (meeting_id, email_key, notice_id, email, kind)
      select ${meeting}.id, letter.email_key, ${id}::uuid, letter.email, letter.kind
      from ${meeting}, unnest(${keys}::text[], ${emails}::text[], ${kinds}::text[]) as letter (email_key, email, kind)
      returning *
    )`,
    jobs: jobsOfRows({
      task: letterTask,
      payload: `json_build_object('meetingId', letter.meeting_id, 'addressKey', letter.email_key,
        'noticeId', letter.notice_id)`,
      priority: letterPriority,
      rows: 'lettered as letter',
      maxAttempts: mostLetterAttempts,
    }),
  }
}

export const noticeValues = ({ id, sequence, actorId, sealedContent, createdAt, letters }: Notice): unknown[] => [
  id,
  sequence,
  actorId,
  sealedContent,
  createdAt,
  letters.map(({ addressKey }) => addressKey),
  letters.map(({ email }) => email),
  letters.map(({ kind }) => kind),
]

const noticeOfMeeting = noticeClauses('meeting', 2)

const insertNoticeStatement = statement<{ queued: number }>(
  'insert-notice',
  `with meeting as (select $1::uuid as id), ${noticeOfMeeting.ctes} select ${noticeOfMeeting.jobs} as queued`,
)

/** Keeps what is to be told in the transaction of the change: letters go out after the commit, and none after a rollback. */
export async function insertNotice(tx: Tx, meetingId: string, notice: Notice): Promise<void> {
  await insertNoticeStatement(tx, [meetingId, ...noticeValues(notice)])
}

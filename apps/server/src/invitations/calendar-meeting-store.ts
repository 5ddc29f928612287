import type { InvitationResponse } from '@parley/contract'
import { type MeetingText, type MeetingTexts, meetingTextNames } from '@parley/contract/meeting-fields'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import {
  type Exceptions,
  firstOccurrence,
  nextOccurrence,
  noExceptions,
  occurrenceAt,
  type RecurrenceRule,
  type Series,
} from '@parley/rules/recurrence/recurrence'
import type { Language } from '@parley/texts/languages'
import { sql } from 'kysely'
import {
  exceptionsJson,
  exceptionsType,
  findExceptionsOf,
  readExceptions,
  type WrittenExceptions,
} from '../meetings/exception-store.ts'
import { isKnownToGuest } from '../meetings/guest-mail-queue.ts'
import { type ScheduleRow, textColumns } from '../meetings/meeting-row.ts'
import {
  attendsAny,
  type OwnResponse,
  ownResponsesJson,
  readOwnResponses,
  type WrittenResponse,
} from '../meetings/occurrence-response-store.ts'
import type { Database } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'
import type { CalendarBudget } from './calendar/calendar-budget.ts'
import { spanOf, type ZoneSpan } from './calendar/compose-calendar.ts'

/** A meeting in a calendar, without its participants. */
export type CalendarMeeting = ScheduleRow &
  MeetingTexts & {
    id: string
    code: string
    sealedSecrets: Buffer
    replyAddress: string | null
    sequence: number
    cancelledAt: Date | null
    modifiedAt: Date
    host: { name: string; lname: string; email: string }
  }

type FeedMeeting = {
  meeting: CalendarMeeting
  series: Series
  /** The original starts of the only dates that the reader attends, of a series that they declined. */
  only?: readonly Date[]
  /** Whether the reader only added the meeting by its link, and may not see the host's address. */
  added: boolean
}

/** The meetings of a feed by their schedules, in the order of the feed. */
export type FeedSchedules = {
  meetings: readonly { row: ScheduleOfFeed; span: ZoneSpan; changedDates: number }[]
  addressKey: string | null
  /** Whether there are more. */
  isCut: boolean
  /** Changes whenever anything of these meetings changes that a calendar shows. */
  versions: unknown
}

type ScheduleOfFeed = Omit<
  FeedMeeting['meeting'],
  Exclude<MeetingText, 'topic'> | 'sealedSecrets' | 'replyAddress' | 'host'
> & {
  added: boolean
  /** What a full feed keeps first: 0 is hosted, 1 answered or added by its link, 2 invited by mail. */
  rank: number
}

/** A few months of the past; not more, because programs download the whole calendar again and again. */
const pastMs = 90 * 24 * 3_600_000
/** More meetings than a person has ahead; `feedLimits` bounds their text. */
const maxFeedMeetings = 1000
/** Each series is expanded to find its next date; this many take a tenth of a second. */
const maxSeriesConsidered = 10_000

/**
 * The candidate schedules of a feed since a time in the past, without long fields and exceptions.
 * Future single meetings come by their start, then past ones, newest first. Running series are unordered: only their
 * rule gives the next date.
 */
const schedulesStatement = defineStatement({
  name: 'list-calendar-schedules',
  parameters: {
    accountId: tables.addedMeeting.accountId,
    addressKey: 'text?',
    since: 'timestamptz',
    now: 'timestamptz',
  },
  columns: {
    ...pick(
      tables.meeting,
      'id',
      'code',
      'topic',
      'startsAt',
      'endsAt',
      'timeZoneIana',
      'endsBy',
      'sequence',
      'cancelledAt',
      'modifiedAt',
    ),
    rule: typed<RecurrenceRule>('jsonb'),
    added: 'boolean',
    rank: 'integer',
  },
  text: (p) => sql`with own as materialized (
    select id, false as added, 0 as rank from meeting where host_id = ${p.accountId} and over_at > ${p.since}
    union all select p.meeting_id, false, case when p.response is null then 2 else 1 end from participant p
      where p.email_key = ${p.addressKey} and not p.blocked and (p.response is distinct from 'declined' or ${attendsAny})
        and ${isKnownToGuest(sql`p`)}
    union all select a.meeting_id, true, 1 from added_meeting a join meeting d on d.id = a.meeting_id
      where a.account_id = ${p.accountId} and d.host_id <> ${p.accountId}
        and not exists (select from participant p where p.meeting_id = a.meeting_id and p.email_key = ${p.addressKey})
        and not exists (select from blocked_sender b where b.account_id = a.account_id and b.sender_id = d.host_id)
  ), shown as materialized (
    select m.id, m.code, m.topic, m.starts_at, m.ends_at, m.time_zone_iana, m.recurrence, m.ends_by, m.sequence,
      m.cancelled_at, m.modified_at, m.over_at, m.recurring, own.added, own.rank
    from own join meeting m using (id)
    where m.over_at > ${p.since} and (m.cancelled_at is null or m.recurring)
  ), chosen as (
    (select * from shown where over_at > ${p.now} and recurring
      order by rank, starts_at desc, id limit ${sql.lit(maxSeriesConsidered)})
    union all
    (select * from shown where over_at > ${p.now} and not recurring
      order by rank, starts_at, id limit ${sql.lit(maxFeedMeetings + 1)})
    union all
    (select * from shown where over_at <= ${p.now} order by rank, over_at desc, id limit ${sql.lit(maxFeedMeetings + 1)})
  ) select id, code, topic, starts_at, ends_at, time_zone_iana,
    recurrence as rule, ends_by, sequence, cancelled_at, modified_at, added, rank
  from chosen`,
})

const detailsStatement = defineStatement({
  name: 'list-calendar-details',
  parameters: { addressKey: 'text?', ids: 'uuid[]' },
  columns: {
    ...pick(tables.meeting, 'id', ...meetingTextNames, 'sealedSecrets', 'replyAddress'),
    host: typed<CalendarMeeting['host']>('json'),
    exceptions: exceptionsType,
    response: tables.participant.response,
    ownResponses: typed<readonly WrittenResponse[]>('json'),
  },
  text: (p) => sql`select m.id, ${textColumns(sql`m`)}, m.sealed_secrets,
    m.reply_address, json_build_object('name', h.name, 'lname', h.lname, 'email', h.email) as host,
    ${exceptionsJson(sql`m.id`)} as exceptions, p.response, ${ownResponsesJson} as own_responses
  from meeting m join account h on h.id = m.host_id
    left join participant p on p.meeting_id = m.id and p.email_key = ${p.addressKey}
  where m.id = any(${p.ids})`,
})

/** What a calendar shows of each meeting in addition to its schedule, without its long fields. */
const versionsStatement = defineStatement({
  name: 'list-calendar-versions',
  parameters: { addressKey: 'text?', ids: 'uuid[]' },
  columns: { id: tables.meeting.id, version: typed<readonly unknown[]>('json') },
  text: (p) => sql`select m.id, json_build_array(m.version, encode(sha256(m.sealed_secrets), 'base64'),
    m.reply_address, h.name, h.lname, h.email, p.response, ${ownResponsesJson}) as version
  from meeting m join account h on h.id = m.host_id
    left join participant p on p.meeting_id = m.id and p.email_key = ${p.addressKey}
  where m.id = any(${p.ids}) order by m.id`,
})

/**
 * Find the meetings of a calendar: future ones by next start, those the reader hosts or answered first; then past ones,
 * newest first. A cancelled series shows its held dates; a cancelled single meeting is left out, as is an invitation
 * unknown to the reader. `addressKey` is null while the address is unverified.
 */
export async function findCalendarMeetings(
  database: Database,
  { accountId, addressKey, now }: { accountId: string; addressKey: string | null; now: Date },
  budget: CalendarBudget,
): Promise<FeedSchedules> {
  const since = new Date(now.getTime() - pastMs)
  const rows = await schedulesStatement.execute(database, { accountId, addressKey, since, now })
  const candidates = inOrder(await budget.run(withNextByRule(rows, now)))
  const taking: TakingPlace[] = []
  for (let read = 0; read < candidates.length && taking.length <= maxFeedMeetings; read += pageSize) {
    const page = candidates.slice(read, read + pageSize).map(({ row }) => row)
    const exceptions = await findExceptionsOf(
      database,
      page.map(({ id }) => id),
    )
    taking.push(...(await budget.run(takingPlace(page, exceptions, now))))
  }
  const meetings = inOrder(taking).slice(0, maxFeedMeetings)
  const ids = meetings.map(({ row }) => row.id)
  const versions = [ids, await versionsStatement.execute(database, { addressKey, ids })]
  return { meetings, addressKey, isCut: taking.length > maxFeedMeetings, versions }
}

/** The number of meetings read at a time: a series may have thousands of exceptions. */
const pageSize = 50

/** The next dates by the rules alone, which decide whose exceptions are read. */
function* withNextByRule(rows: readonly ScheduleOfFeed[], now: Date) {
  const found: { row: ScheduleOfFeed; next: Date | undefined }[] = []
  for (const row of rows) {
    const series = seriesTakingPlace(row, noExceptions)
    if (series !== undefined) found.push({ row, next: nextOccurrence(series, now)?.startsAt })
    yield
  }
  return found
}

/** Without the series, whose dates are not kept while the feed is composed. */
type TakingPlace = FeedSchedules['meetings'][number] & { next: Date | undefined }

function* takingPlace(
  rows: readonly ScheduleOfFeed[],
  exceptions: ReadonlyMap<string, WrittenExceptions>,
  now: Date,
): Generator<undefined, TakingPlace[]> {
  const taking: TakingPlace[] = []
  for (const row of rows) {
    const written = exceptions.get(row.id)
    const series = written && seriesTakingPlace(row, readExceptions(written))
    if (series !== undefined) {
      const changedDates = series.changed.length
      taking.push({ row, span: spanOf(series), changedDates, next: nextOccurrence(series, now)?.startsAt })
    }
    yield
  }
  return taking
}

/**
 * Sort upcoming meetings first, and among them those that the reader hosts or has answered, so that invitations never
 * displace these. Then sort by the next date. Past meetings are already in order, and the sort is stable.
 */
function inOrder<Meeting extends { row: ScheduleOfFeed; next: Date | undefined }>(
  meetings: readonly Meeting[],
): Meeting[] {
  const startOf = ({ next }: Meeting) => next?.getTime() ?? Number.POSITIVE_INFINITY
  const isOver = ({ next }: Meeting) => (next === undefined ? 1 : 0)
  return meetings.toSorted(
    (one, other) =>
      isOver(one) - isOver(other) || one.row.rank - other.row.rank || compare(startOf(one), startOf(other)),
  )
}

/** Read at a time. A meeting with many changed dates counts as several. */
const weightOfPage = 50
const changedDatesOfWeight = 10

/** Read the meetings of a feed page by page, with what their reader attends. */
export async function* readFeedMeetings(
  database: Database,
  { meetings, addressKey }: FeedSchedules,
): AsyncGenerator<FeedMeeting> {
  for (const page of pagesOf(meetings)) {
    const details = await detailsStatement.execute(database, { addressKey, ids: page.map(({ row }) => row.id) })
    const byId = new Map(details.map((detail) => [detail.id, detail]))
    for (const { row } of page) {
      const found = byId.get(row.id)
      if (found === undefined) continue
      const { added, rank: _, ...schedule } = row
      const { exceptions, response, ownResponses, ...detail } = found
      const series = seriesTakingPlace(schedule, readExceptions(exceptions))
      const attended = series && attendedDates(series, response, readOwnResponses(ownResponses))
      if (attended !== undefined) yield { meeting: { ...schedule, ...detail }, ...attended, added }
    }
  }
}

function* pagesOf(meetings: FeedSchedules['meetings']): Generator<FeedSchedules['meetings'][number][]> {
  let page: FeedSchedules['meetings'][number][] = []
  let weight = 0
  for (const meeting of meetings) {
    const own = 1 + meeting.changedDates / changedDatesOfWeight
    if (page.length > 0 && weight + own > weightOfPage) {
      yield page
      page = []
      weight = 0
    }
    page.push(meeting)
    weight += own
  }
  if (page.length > 0) yield page
}

/** Leave the dates out that the reader declined. Undefined when none is left. */
function attendedDates(
  series: Series,
  response: InvitationResponse | null,
  own: readonly OwnResponse[],
): Pick<FeedMeeting, 'series' | 'only'> | undefined {
  const startsOf = (responses: readonly OwnResponse[]) => responses.map(({ originalStart }) => originalStart)
  if (response === 'declined') {
    const only = startsOf(own).filter((start) => occurrenceAt(series, start)?.cancelled === false)
    return only.length === 0 ? undefined : { series, only }
  }
  const declined = startsOf(own.filter((one) => one.response === 'declined'))
  if (declined.length === 0) return { series }
  const rest = { ...series, cancelled: [...series.cancelled, ...declined] }
  return firstOccurrence(rest) === undefined ? undefined : { series: rest }
}

/** Infinity - Infinity is NaN, so equal values are compared first. */
const compare = (a: number, b: number) => (a === b ? 0 : a - b)

/** Undefined when the meeting never takes place. */
export function seriesTakingPlace(
  meeting: ScheduleRow & { cancelledAt: Date | null },
  exceptions: Exceptions,
): Series | undefined {
  const whole = seriesOf(meeting, exceptions)
  const series = meeting.cancelledAt === null ? whole : heldSeries(whole, meeting.cancelledAt)
  return series !== undefined && firstOccurrence(series) !== undefined ? series : undefined
}

/** Find the language of an account's calendars. */
export async function findReaderLanguage(database: Database, accountId: string): Promise<Language> {
  const reader = await database.selectFrom('account').select('language').where('id', '=', accountId).executeTakeFirst()
  return reader?.language || 'en'
}

import { listAgenda, type QueryOf, type ReplyOf } from '@parley/contract'
import {
  type CalendarOccurrence,
  type CalendarSeries,
  compareOccurrences,
  compareToPageEnd,
  firstOccurrences,
  lastOccurrences,
} from '@parley/rules/meetings/calendar'
import { colourOf } from '@parley/rules/meetings/meeting-colour'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { firstOccurrence } from '@parley/rules/recurrence/recurrence'
import { staysOpenAfterMs } from '@parley/rules/rooms/admission'
import { textWords } from '@parley/rules/text/search-words'
import type { Caller } from '../../access/caller.ts'
import { type Cursor, readAfter, writeCursor } from '../../platform/database/cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../dependencies.ts'
import { viewerOf } from '../meeting-access.ts'
import type { MeetingRow } from '../meeting-row.ts'
import { decryptSecrets } from '../meeting-secrets.ts'
import { viewNamedDates } from '../meeting-view.ts'
import { readOwnResponses } from '../occurrence-response-store.ts'
import { findDescribed, findMeetingSummaries, type MeetingSummary } from './agenda-store.ts'
import { findRooms, findSingles } from './calendar-store.ts'
import { statusesOf } from './list-calendar.ts'
import { ownList, readPage } from './list-meetings.ts'
import type { ListFilter, ListOwner } from './meeting-list-branches.ts'
import { countMeetings } from './meeting-list-store.ts'
import { calendarSeriesOf, readSeriesOfList, seriesAround } from './series-of-list.ts'

/** Register the list of the caller's meetings by dates, which the pages show. */
export function registerAgenda(dependencies: Dependencies): void {
  const { serve } = dependencies
  serve(listAgenda, {
    read: ({ query }) => readAfter(query.after),
    handle: ({ caller, query, input: after, database }) =>
      readAgenda(database, dependencies, caller, { ...query, after }),
  })
}

type AgendaReply = ReplyOf<typeof listAgenda>
type AgendaRequest = Omit<Partial<QueryOf<typeof listAgenda>>, 'after'> & { after?: Cursor | undefined }
type AgendaDependencies = Pick<Dependencies, 'clock' | 'config' | 'encryption'>

const defaultLimit = 30

/** Read a page of the caller's meetings by dates. */
export async function readAgenda(
  database: Database,
  { clock, config, encryption }: AgendaDependencies,
  caller: Caller,
  { list = 'ahead', limit = defaultLimit, after, q, role = 'all' }: AgendaRequest,
): Promise<AgendaReply> {
  const owner = ownList(caller, config)
  const listed: ListFilter = { ...unfiltered, role, now: clock.now() }
  const described = await findDescribed(
    database,
    owner,
    { ...listed, ...narrowing[list] },
    {
      order: list === 'past' || list === 'cancelled' ? 'desc' : 'asc',
      words: textWords(q ?? ''),
    },
  )
  const filter: ListFilter = { ...listed, topicPart: q, searchesPeople: true, described: [...described.keys()] }
  const page = await readers[list](database, owner, filter, { limit, after })
  const ids = [...new Set(page.dates.map(({ id }) => id))]
  const meetings = await findMeetingSummaries(database, viewerOf(caller, config), ids)
  const view = createDateView(caller, encryption)
  return {
    dates: page.dates.flatMap((date) => {
      const meeting = meetings.get(date.id)
      if (meeting === undefined) return []
      const room = page.rooms?.get(nameOf(date))
      const inDescription = described.get(date.id) === false
      return [
        {
          ...view(date, meeting),
          ...(room !== undefined && { room }),
          ...(inDescription && { foundInDescription: inDescription }),
        },
      ]
    }),
    ...(page.totalCount !== undefined && { totalCount: page.totalCount }),
    moreAvailable: page.end !== undefined,
    nextCursor: page.end === undefined ? null : writeCursor(page.end),
  }
}

/** Whether the caller has any meeting, past and cancelled ones included. */
export async function hasAnyMeeting(database: Database, { clock, config }: AgendaDependencies, caller: Caller) {
  const all: ListFilter = { ...unfiltered, status: 'all', now: clock.now() }
  return (await countMeetings(database, ownList(caller, config), all)) > 0
}

const unfiltered = {
  role: 'all',
  status: 'active',
  past: undefined,
  from: undefined,
  to: undefined,
  seriesInRange: [],
  topicPart: undefined,
  madeByApp: null,
} as const

/** The PIN is decrypted once for all dates of a series. */
function createDateView(caller: Caller, encryption: Dependencies['encryption']) {
  const pins = new Map<string, string>()
  const pinOf = (meeting: MeetingSummary) => {
    const pin = pins.get(meeting.id) ?? decryptSecrets(encryption, meeting).pin
    pins.set(meeting.id, pin)
    return pin
  }
  return ({ status, topic, ...date }: CalendarOccurrence, meeting: MeetingSummary) => {
    const { rule, hostName, hostLname, invited, people, peopleCount } = meeting
    const own = readOwnResponses(meeting.ownResponses).find(
      ({ originalStart }) => originalStart.getTime() === date.originalStart.getTime(),
    )
    const response = own === undefined ? meeting.response : own.response
    return {
      meetingId: meeting.id,
      svcMeetId: meeting.code,
      pin: pinOf(meeting),
      topic: topic ?? meeting.topic,
      ...viewNamedDates(date, status),
      recur: rule.repeat !== 'none',
      repeat: rule.repeat,
      interval: rule.repeat === 'none' ? null : rule.interval,
      role:
        meeting.hostId === caller.accountId
          ? ('host' as const)
          : meeting.cohost
            ? ('cohost' as const)
            : ('participant' as const),
      colour: colourOf(meeting),
      host: `${hostName} ${hostLname}`.trim(),
      people: [...people],
      peopleCount,
      invited,
      ...(response !== null && { response }),
    }
  }
}

type Rooms = ReadonlyMap<string, 'occupied' | 'ended'>

type AgendaPage = {
  dates: readonly CalendarOccurrence[]
  /** By `nameOf`. */
  rooms?: Rooms
  totalCount?: number
  /** Where the next page begins; undefined on the last page. */
  end: Cursor | undefined
}

type PageRequest = { limit: number; after: Cursor | undefined }
type Reader = (database: Database, owner: ListOwner, filter: ListFilter, page: PageRequest) => Promise<AgendaPage>

/** The filter of each list. */
const narrowing: Record<keyof typeof readers, Partial<ListFilter>> = {
  ahead: { past: false },
  invitations: { role: 'unanswered', past: false },
  past: { past: true },
  cancelled: { status: 'cancelled' },
}

const nameOf = ({ id, originalStart }: CalendarOccurrence) => `${id} ${originalStart.getTime()}`

const readers: Record<NonNullable<AgendaRequest['list']>, Reader> = {
  ahead: readAhead,
  invitations: readInvitations,
  past: readPast,
  cancelled: readCancelled,
}

async function readAhead(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  { limit, after }: PageRequest,
): Promise<AgendaPage> {
  const { now } = filter
  const from = after !== undefined && after.at > now ? after.at : now
  const request = { from, limit: limit + 1, withCancelled: false, after }
  const [near, ofSeries, singles] = await Promise.all([
    after === undefined ? readNear(database, owner, filter) : [],
    readSeriesDates(database, owner, { ...filter, from }, (series) => firstOccurrences(series, request)),
    findSingles(database, owner, { ...filter, past: false }, { limit: limit + 1, after }),
  ])
  const found = [...ofSeries, ...singles.map(dateOfSingle)].toSorted(compareOccurrences)
  const dates = found.slice(0, limit)
  const names = new Set(dates.map(nameOf))
  const rooms = await readRooms(database, [...near.filter((date) => !names.has(nameOf(date))), ...dates], now, after)
  const isOver = (date: CalendarOccurrence) => rooms.get(nameOf(date)) === 'ended' && date.startsAt <= now
  const overrun = near.filter((date) => date.endsAt <= now && rooms.get(nameOf(date)) === 'occupied')
  return { dates: [...overrun, ...dates.filter((date) => !isOver(date))], rooms, end: endOf(found, limit) }
}

async function readPast(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  { limit, after }: PageRequest,
): Promise<AgendaPage> {
  const { now } = filter
  const request = { endedBy: now, limit: limit + 1, before: after }
  const isNear = after === undefined || now.getTime() - after.at.getTime() <= 2 * staysOpenAfterMs
  const [near, ofSeries, singles] = await Promise.all([
    isNear ? readNear(database, owner, filter) : [],
    readSeriesDates(database, owner, { ...filter, to: now }, (series) => lastOccurrences(series, request)),
    findSingles(database, owner, { ...filter, past: true }, { limit: limit + 1, order: 'desc', after }),
  ])
  const rooms = await readRooms(database, near, now)
  const isOnPage = (date: CalendarOccurrence) => after === undefined || compareToPageEnd(date, after) < 0
  const endedEarly = near.filter((date) => date.endsAt > now && rooms.get(nameOf(date)) === 'ended' && isOnPage(date))
  const found = [...ofSeries, ...singles.map(dateOfSingle), ...endedEarly].toSorted((a, b) => compareOccurrences(b, a))
  const isOverrun = (date: CalendarOccurrence) => rooms.get(nameOf(date)) === 'occupied'
  return { dates: found.slice(0, limit).filter((date) => !isOverrun(date)), end: endOf(found, limit) }
}

async function readInvitations(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  { limit, after }: PageRequest,
): Promise<AgendaPage> {
  const unanswered: ListFilter = { ...filter, ...narrowing.invitations }
  const [{ ahead }, singles, totalCount] = await Promise.all([
    readSeriesOfList(database, owner, unanswered),
    findSingles(database, owner, unanswered, { limit: limit + 1, after }),
    countMeetings(database, owner, unanswered),
  ])
  const ofSeries = ahead.flatMap(({ id, next }): CalendarOccurrence[] =>
    next === undefined ? [] : [{ id, ...next, status: statusOf(next, null), topic: next.change?.topic ?? null }],
  )
  const found = [
    ...ofSeries.filter((date) => after === undefined || compareToPageEnd(date, after) > 0),
    ...singles.map(dateOfSingle),
  ].toSorted(compareOccurrences)
  return { dates: found.slice(0, limit), totalCount, end: endOf(found, limit) }
}

/** A cancelled meeting has no date left: it is listed at its first one. */
async function readCancelled(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  { limit, after }: PageRequest,
): Promise<AgendaPage> {
  const { namesEveryAddress } = owner
  const list = { database, owner, filter: { ...filter, ...narrowing.cancelled }, namesEveryAddress }
  const { rows, totalCount, isCut } = await readPage(list, { order: 'desc', after, offset: 0, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    dates: shown.map((row) => {
      const { startsAt, endsAt } = firstDateOf(row)
      return { id: row.id, originalStart: startsAt, startsAt, endsAt, status: 'cancelled', topic: null }
    }),
    totalCount,
    end: last !== undefined && (isCut || rows.length > limit) ? { at: last.listedAt, id: last.id } : undefined,
  }
}

/** The first date by the rule alone: a series may start on a day that its rule leaves out. */
function firstDateOf(row: MeetingRow) {
  const durationMs = row.endsAt.getTime() - row.startsAt.getTime()
  return firstOccurrence({ ...row, timeZone: row.timeZoneIana, durationMs, cancelled: [], changed: [] }) ?? row
}

function endOf(found: readonly CalendarOccurrence[], limit: number): Cursor | undefined {
  const last = found.length > limit ? found[limit - 1] : undefined
  return last && { at: last.startsAt, id: last.id }
}

/** Read dates of series, including dates that took place before their series was cancelled. */
async function readSeriesDates(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  expand: (series: readonly CalendarSeries[]) => readonly CalendarOccurrence[],
): Promise<CalendarOccurrence[]> {
  const found: CalendarOccurrence[] = []
  for await (const batch of seriesAround(database, owner, { ...filter, status: 'all' })) {
    found.push(...expand(batch.map(calendarSeriesOf)))
  }
  return found
}

/** More dates of a day and a night are no day of one person. */
const maxNear = 300

/** The dates that are running or ended within a day, whose rooms can still be open. */
async function readNear(database: Database, owner: ListOwner, filter: ListFilter): Promise<CalendarOccurrence[]> {
  const range = { from: new Date(filter.now.getTime() - staysOpenAfterMs), to: new Date(filter.now.getTime() + 1) }
  const request = { ...range, limit: maxNear, withCancelled: false }
  const [ofSeries, singles] = await Promise.all([
    readSeriesDates(database, owner, { ...filter, ...range }, (series) => firstOccurrences(series, request)),
    findSingles(database, owner, { ...filter, ...range }, { limit: maxNear }),
  ])
  return [...ofSeries, ...singles.map(dateOfSingle)]
}

/**
 * The status of the rooms by date. Only a first page, which has the dates of the last day, tells which date a room is
 * used for.
 */
async function readRooms(
  database: Database,
  dates: readonly CalendarOccurrence[],
  now: Date,
  after?: Cursor,
): Promise<Rooms> {
  if (after !== undefined) return new Map()
  const rooms = await findRooms(database, [...new Set(dates.map(({ id }) => id))])
  return new Map([...statusesOf(dates, rooms, now)].map(([date, status]) => [nameOf(date), status]))
}

type Single = Awaited<ReturnType<typeof findSingles>>[number]

const dateOfSingle = ({ id, startsAt, endsAt }: Single): CalendarOccurrence => ({
  id,
  originalStart: startsAt,
  startsAt,
  endsAt,
  status: 'active',
  topic: null,
})

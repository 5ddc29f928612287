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
import type { Caller } from '../../access/caller.ts'
import { photoPath } from '../../accounts/account/photo-store.ts'
import { type Cursor, readAfter, writeCursor } from '../../platform/database/cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../dependencies.ts'
import { viewerOf } from '../meeting-access.ts'
import type { MeetingRow } from '../meeting-row.ts'
import { decryptSecrets } from '../meeting-secrets.ts'
import { viewNamedDates } from '../meeting-view.ts'
import { readOwnResponses } from '../occurrence-response-store.ts'
import { type SearchResult, searchMeetings } from './agenda-search-store.ts'
import { findMeetingSummaries, type MeetingSummary } from './agenda-store.ts'
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
  const result = q ? await search(database, owner, listed, list, { q, limit, after }) : undefined
  const filter: ListFilter = { ...listed, found: result?.ids }
  const page = await readers[list](database, owner, filter, { limit, after, searchedTo: result?.searchedTo })
  const ids = [...new Set(page.dates.map(({ id }) => id))]
  const meetings = await findMeetingSummaries(database, viewerOf(caller, config), ids)
  const view = createDateView(caller, encryption)
  return {
    dates: page.dates.flatMap((date) => {
      const meeting = meetings.get(date.id)
      if (meeting === undefined) return []
      const room = page.rooms?.get(nameOf(date))
      return [
        {
          ...view(date, meeting),
          ...(room !== undefined && { room }),
          ...(result?.inDescription.has(date.id) && { foundInDescription: true as const }),
        },
      ]
    }),
    ...(page.totalCount !== undefined && { totalCount: page.totalCount }),
    ...(page.searchedTo && { searchedTo: page.searchedTo.at.toISOString() }),
    moreAvailable: page.end !== undefined,
    nextCursor: page.end === undefined ? null : writeCursor(page.end),
  }
}

type SearchRequest = { q: string; limit: number; after: Cursor | undefined }

/** Search the meetings of a page of a list, and those of `readNear`, whose times alone would leave them out. */
async function search(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  list: keyof typeof readers,
  { q: text, limit, after }: SearchRequest,
): Promise<SearchResult> {
  const order = list === 'past' || list === 'cancelled' ? 'desc' : 'asc'
  const [ofPage, near] = await Promise.all([
    searchMeetings(database, owner, { ...filter, ...narrowing[list] }, { text, order, after, limit: limit + 1 }),
    includesNear(list, filter, after)
      ? searchMeetings(
          database,
          owner,
          { ...filter, ...nearRange(filter) },
          { text, order, after: undefined, limit: maxNear },
        )
      : undefined,
  ])
  return {
    ...ofPage,
    ids: [...ofPage.ids, ...(near?.ids ?? [])],
    inDescription: ofPage.inDescription.union(near?.inDescription ?? new Set()),
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
    const { rule, hostName, hostLname, hostPhoto, invited, people, peopleCount } = meeting
    const photos = [hostPhoto?.id ?? null, ...people.map(([, photo]) => photo)]
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
      people: people.map(([name]) => name),
      ...(photos.some((photo) => photo !== null) && {
        photoUrls: photos.map((photo) => (photo === null ? '' : photoPath(photo))),
      }),
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
  /** Set if the page ends where its search did, before its limit. */
  searchedTo?: Cursor | undefined
}

type PageRequest = { limit: number; after: Cursor | undefined; searchedTo: Cursor | undefined }
type Reader = (database: Database, owner: ListOwner, filter: ListFilter, page: PageRequest) => Promise<AgendaPage>

/** The filter of each list. */
const narrowing: Record<keyof typeof readers, Partial<ListFilter>> = {
  ahead: { past: false },
  invitations: { role: 'unanswered', past: false },
  past: { past: true },
  cancelled: { status: 'cancelled' },
}

/** Dates before a search's end would be missing among those after it, which the next page lists. */
function pageOf<Listed extends { id: string; startsAt: Date }>(
  found: readonly Listed[],
  { limit, searchedTo }: PageRequest,
  order: 'asc' | 'desc',
) {
  const sign = order === 'asc' ? 1 : -1
  const searched =
    searchedTo === undefined ? found : found.filter((date) => sign * compareToPageEnd(date, searchedTo) <= 0)
  const last = searched.length > limit ? searched[limit - 1] : undefined
  return {
    dates: searched.slice(0, limit),
    ...(last === undefined ? { end: searchedTo, searchedTo } : { end: { at: last.startsAt, id: last.id } }),
  }
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
  page: PageRequest,
): Promise<AgendaPage> {
  const { limit, after } = page
  const { now } = filter
  const from = after !== undefined && after.at > now ? after.at : now
  const request = { from, limit: limit + 1, withCancelled: false, after }
  const [near, ofSeries, singles] = await Promise.all([
    includesNear('ahead', filter, after) ? readNear(database, owner, filter) : [],
    readSeriesDates(database, owner, { ...filter, from }, (series) => firstOccurrences(series, request)),
    findSingles(database, owner, { ...filter, past: false }, { limit: limit + 1, after }),
  ])
  const found = [...ofSeries, ...singles.map(dateOfSingle)].toSorted(compareOccurrences)
  const { dates, ...rest } = pageOf(found, page, 'asc')
  const names = new Set(dates.map(nameOf))
  const rooms = await readRooms(database, [...near.filter((date) => !names.has(nameOf(date))), ...dates], now, after)
  const isOver = (date: CalendarOccurrence) => rooms.get(nameOf(date)) === 'ended' && date.startsAt <= now
  const overrun = near.filter((date) => date.endsAt <= now && rooms.get(nameOf(date)) === 'occupied')
  return { dates: [...overrun, ...dates.filter((date) => !isOver(date))], rooms, ...rest }
}

async function readPast(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  page: PageRequest,
): Promise<AgendaPage> {
  const { limit, after } = page
  const { now } = filter
  const request = { endedBy: now, limit: limit + 1, before: after }
  const [near, ofSeries, singles] = await Promise.all([
    includesNear('past', filter, after) ? readNear(database, owner, filter) : [],
    readSeriesDates(database, owner, { ...filter, to: now }, (series) => lastOccurrences(series, request)),
    findSingles(database, owner, { ...filter, past: true }, { limit: limit + 1, order: 'desc', after }),
  ])
  const rooms = await readRooms(database, near, now)
  const isOnPage = (date: CalendarOccurrence) => after === undefined || compareToPageEnd(date, after) < 0
  const endedEarly = near.filter((date) => date.endsAt > now && rooms.get(nameOf(date)) === 'ended' && isOnPage(date))
  const found = [...ofSeries, ...singles.map(dateOfSingle), ...endedEarly].toSorted((a, b) => compareOccurrences(b, a))
  const isOverrun = (date: CalendarOccurrence) => rooms.get(nameOf(date)) === 'occupied'
  const { dates, ...rest } = pageOf(found, page, 'desc')
  return { dates: dates.filter((date) => !isOverrun(date)), ...rest }
}

async function readInvitations(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  page: PageRequest,
): Promise<AgendaPage> {
  const { limit, after } = page
  const unanswered: ListFilter = { ...filter, ...narrowing.invitations }
  const [{ ahead }, singles, totalCount] = await Promise.all([
    readSeriesOfList(database, owner, unanswered),
    findSingles(database, owner, unanswered, { limit: limit + 1, after }),
    filter.found === undefined ? countMeetings(database, owner, unanswered) : undefined,
  ])
  const ofSeries = ahead.flatMap(({ id, next }): CalendarOccurrence[] =>
    next === undefined ? [] : [{ id, ...next, status: statusOf(next, null), topic: next.change?.topic ?? null }],
  )
  const found = [
    ...ofSeries.filter((date) => after === undefined || compareToPageEnd(date, after) > 0),
    ...singles.map(dateOfSingle),
  ].toSorted(compareOccurrences)
  return { ...pageOf(found, page, 'asc'), ...(totalCount !== undefined && { totalCount }) }
}

/** A cancelled meeting has no date left: it is listed at its first one. */
async function readCancelled(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  page: PageRequest,
): Promise<AgendaPage> {
  const { limit, after } = page
  const { namesEveryAddress } = owner
  const list = { database, owner, filter: { ...filter, ...narrowing.cancelled }, namesEveryAddress }
  const { rows, totalCount, isCut } = await readPage(list, { order: 'desc', after, offset: 0, limit: limit + 1 })
  const found = rows.map((row) => ({ id: row.id, startsAt: row.listedAt, row }))
  const { dates: shown, ...rest } = pageOf(found, page, 'desc')
  const last = shown.at(-1)
  return {
    dates: shown.map(({ row }) => {
      const { startsAt, endsAt } = firstDateOf(row)
      return { id: row.id, originalStart: startsAt, startsAt, endsAt, status: 'cancelled', topic: null }
    }),
    ...(filter.found === undefined && { totalCount }),
    ...(isCut && last !== undefined && shown.length === rows.length
      ? { end: { at: last.startsAt, id: last.id } }
      : rest),
  }
}

/** The first date by the rule alone: a series may start on a day that its rule leaves out. */
function firstDateOf(row: MeetingRow) {
  const durationMs = row.endsAt.getTime() - row.startsAt.getTime()
  return firstOccurrence({ ...row, timeZone: row.timeZoneIana, durationMs, cancelled: [], changed: [] }) ?? row
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

const nearRange = ({ now }: ListFilter) => ({
  from: new Date(now.getTime() - staysOpenAfterMs),
  to: new Date(now.getTime() + 1),
})

/** Whether a page may have dates whose rooms are open beyond their times, or were ended before. */
const includesNear = (list: keyof typeof readers, { now }: ListFilter, after: Cursor | undefined) =>
  list === 'ahead'
    ? after === undefined
    : list === 'past' && (after === undefined || now.getTime() - after.at.getTime() <= 2 * staysOpenAfterMs)

/** The dates that are running or ended within a day, whose rooms can still be open. */
async function readNear(database: Database, owner: ListOwner, filter: ListFilter): Promise<CalendarOccurrence[]> {
  const range = nearRange(filter)
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

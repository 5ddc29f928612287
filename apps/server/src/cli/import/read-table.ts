import { readTimeZone } from '@parley/rules/recurrence/time-zone'
import { isEmailAddress } from '@parley/rules/text/email-address'
import { readMailbox } from '@parley/rules/text/mailbox'
import { callIn, type FoundEntry, maxEntries, textsFor, Unreadable, usualFields } from './found-entry.ts'
import { parseCsv, type Row } from './parse-csv.ts'
import { type DateOrder, findDateOrder, isAmbiguous, readMinutes, readTableTime } from './table-times.ts'

/** Read people or meetings from a table, by the names of its columns. */

/** The names of a column in the files of Google, Zoom, Cal.com and others, in small letters. */
const columns = {
  email: ['email', 'email address', 'e-mail', 'e-mail address', 'email address [required]', 'user email', 'mail'],
  state: ['status', 'status [read only]', 'user status'],
  topic: ['topic', 'subject', 'title', 'summary', 'meeting topic', 'meeting name', 'event name'],
  uid: ['uid', 'meeting id', 'event id', 'booking uid', 'booking id', 'id'],
  start: ['start time', 'start', 'starttime', 'start date time', 'starts at', 'start date & time', 'scheduled time'],
  startDate: ['start date', 'date'],
  end: ['end time', 'end', 'endtime', 'end date time', 'ends at', 'end date & time'],
  endDate: ['end date'],
  minutes: ['duration', 'duration (minutes)', 'scheduled duration (minutes)', 'minutes', 'eventlength', 'length'],
  allDay: ['all day event', 'all day'],
  timeZone: ['time zone', 'timezone'],
  description: ['description', 'agenda', 'notes', 'details'],
  location: ['location', 'place', 'where', 'join url', 'meeting url'],
  organizer: ['host', 'host email', 'organizer', 'organizer email', 'organiser', 'useremail', 'host id'],
  guests: [
    'guests',
    'attendees',
    'participants',
    'attendee emails',
    'invitees',
    'bookeremail',
    'attendee',
    'invitee email',
  ],
  guestName: ['bookername', 'attendee name', 'invitee name'],
  repeats: ['recurring', 'is recurring', 'recurrence', 'repeats'],
} as const
type Column = keyof typeof columns

type Context = {
  defaultZone: string
  timeZoneAliases: ReadonlyMap<string, string>
  /** As the operator says; undefined to find it in the table. */
  order: DateOrder | undefined
}

type Table = { entries: readonly FoundEntry[]; notes: readonly string[] }
type Cells = (column: Column) => string

/** @throws Unreadable */
export function readTable(text: string, context: Context): Table {
  const [head, ...rows] = parseCsv(text)
  if (head === undefined) throw new Unreadable('It is empty.')
  if (rows.length > maxEntries) throw new Unreadable(`It has ${rows.length} rows, and ${maxEntries} are read.`)
  const names = head.cells.map((name) => name.trim().toLowerCase())
  const placeOf = (column: Column) =>
    columns[column].map((name) => names.indexOf(name)).find((place) => place >= 0) ?? -1
  const has = (column: Column) => placeOf(column) >= 0
  const cellsOf =
    ({ cells }: Row): Cells =>
    (column) =>
      (cells[placeOf(column)] ?? '').trim()
  if (has('topic') && (has('start') || has('startDate'))) {
    // The columns of further guests have a number: attendee1, attendee2.
    const numbered = names.flatMap((name, place) => (/^(?:attendee|guest|participant) ?\d+$/.test(name) ? [place] : []))
    const starts = rows.map((row) => cellsOf(row)(has('startDate') ? 'startDate' : 'start'))
    const found = context.order ?? findDateOrder(starts)
    const order = found ?? 'month-first'
    const ambiguous = found === undefined ? starts.find(isAmbiguous) : undefined
    const notes = [
      ...ignoredColumns(names),
      ...(ambiguous === undefined
        ? []
        : [`dates such as ${ambiguous} are read with the month first: --day-first reads them with the day first`]),
    ]
    const entries = rows.map((row) => {
      const further = numbered.map((place) => row.cells[place] ?? '')
      return readMeeting(row, cellsOf(row), further, { ...context, order })
    })
    return { entries, notes }
  }
  if (has('email')) return { entries: rows.map((row) => readPerson(row, cellsOf(row))), notes: [] }
  throw new Unreadable(
    'Its first line names neither an email address (people) nor a topic and a start (meetings). It has these columns: ' +
      `${head.cells.join(', ')}.`,
  )
}

function ignoredColumns(names: readonly string[]): string[] {
  const known = new Set<string>(Object.values(columns).flat())
  // One of several of a kind, such as "attendee 3".
  const isNumbered = (name: string) => /\d$/.test(name) && /^\w+(?: \d+)?$/.test(name)
  const ignored = names.filter((name) => name !== '' && !known.has(name) && !isNumbered(name))
  return ignored.length === 0 ? [] : [`these columns are not read: ${ignored.join(', ')}`]
}

function readPerson({ line }: Row, cell: Cells): FoundEntry {
  const place = `row ${line}`
  const email = cell('email')
  const state = cell('state').toLowerCase()
  if (['suspended', 'inactive', 'deactivated', 'archived', 'deleted'].includes(state))
    return { kind: 'skipped', place, topic: email, reason: `is ${state}` }
  if (!isEmailAddress(email)) return { kind: 'refused', place, topic: email, reason: 'email: is not an email address' }
  return { kind: 'person', place, email }
}

function readMeeting(
  { line, cells }: Row,
  cell: Cells,
  furtherGuests: readonly string[],
  { defaultZone, timeZoneAliases, order }: Context & { order: DateOrder },
): FoundEntry {
  const place = `row ${line}`
  const topic = cell('topic') || 'Untitled'
  const omitted = (kind: 'refused' | 'skipped', reason: string): FoundEntry => ({ kind, place, topic, reason })
  if (['cancelled', 'canceled', 'rejected', 'deleted'].includes(cell('state').toLowerCase()))
    return omitted('skipped', `is ${cell('state').toLowerCase()}`)
  if (/^(?:true|yes|1)$/i.test(cell('allDay'))) return omitted('skipped', 'lasts whole days, and meetings have times')
  const notes: string[] = []
  const zone = cell('timeZone') === '' ? undefined : readTimeZone(cell('timeZone'), timeZoneAliases)
  if (zone?.kind === 'unknown') return omitted('refused', `time zone: ${cell('timeZone')} is unknown`)
  const timeZone = zone?.timeZone ?? defaultZone
  const textOf = (date: Column, time: Column) => [cell(date), cell(time)].filter((part) => part !== '').join(' ')
  const start = textOf('startDate', 'start')
  const startsAt = readTableTime(start, timeZone, order)
  if (startsAt === undefined) return omitted('refused', `start: ${start || 'is empty'} is no date and time`)
  const minutes = readMinutes(cell('minutes'))
  // An end without a date is on the day of the start.
  const end =
    cell('endDate') === '' && cell('startDate') !== ''
      ? `${cell('startDate')} ${cell('end')}`
      : textOf('endDate', 'end')
  const endsAt =
    cell('end') !== ''
      ? readTableTime(end, timeZone, order)
      : minutes && new Date(startsAt.getTime() + minutes * 60_000)
  if (!endsAt) return omitted('refused', `end: ${end || cell('minutes') || 'is empty'} is neither an end nor a length`)
  if (/^(?:true|yes|1)$/i.test(cell('repeats'))) notes.push('it repeats, and a table does not say how: this date only')
  const guests = [cell('guests').split(/[;,\n]/), furtherGuests].flat().map((text) => text.trim())
  const mailboxes = guests.filter((text) => text !== '').map(readMailbox)
  const unknown = mailboxes.filter(({ address }) => !isEmailAddress(address))
  if (unknown.length > 0)
    notes.push(`guests without an email address are left out: ${unknown.map(({ address }) => address).join(', ')}`)
  const known = mailboxes.filter(({ address }) => isEmailAddress(address))
  const texts = textsFor({ topic, description: cell('description'), location: cell('location') }, notes)
  const organizer = readMailbox(cell('organizer')).address
  return {
    kind: 'meeting',
    place,
    topic: texts.topic,
    // A table without ids is read again by what it says.
    uid: cell('uid') || JSON.stringify([topic, startsAt.toISOString()]),
    organizer: isEmailAddress(organizer) ? organizer : undefined,
    isAppointment: known.length === 0 && cell('organizer') === '' && callIn(cells.join('\n')) === undefined,
    body: {
      ...texts,
      ...usualFields,
      participants: known.map(({ address, name }, index) => {
        const displayName = name || (known.length === 1 && index === 0 ? cell('guestName') : '')
        return displayName === '' ? { email: address } : { email: address, displayName }
      }),
      startTime: startsAt.toISOString(),
      endTime: endsAt.toISOString(),
      repeatOptions: { repeat: 'none', timeZone },
    },
    days: undefined,
    cancelled: [],
    changed: [],
    notes,
  }
}

/** The list's filters. They are in the address, so that a filtered list can be bookmarked. */
export type MeetingSearch = {
  q?: string
  role?: 'host' | 'participant'
  when?: 'invitations' | 'past' | 'cancelled'
}

/** The lists of meetings, in the order of their tabs. */
export const listNames = ['ahead', 'invitations', 'past', 'cancelled'] as const
export type ListName = (typeof listNames)[number]

/** The same filters in another list. */
export const withList = ({ q, role }: MeetingSearch, list: ListName): MeetingSearch => ({
  ...(q !== undefined && { q }),
  ...(role !== undefined && { role }),
  ...(list !== 'ahead' && { when: list }),
})

/** The contract's limit. */
const maxSearchLength = 250

/** Parse the search parameters; drop unknown values. */
export function readMeetingSearch({ q, role, when }: Record<string, unknown>): MeetingSearch {
  // The router parses a numeric search as a number.
  const text = typeof q === 'number' ? String(q) : q
  return {
    ...(typeof text === 'string' && text !== '' && { q: text.slice(0, maxSearchLength) }),
    ...((role === 'host' || role === 'participant') && { role }),
    ...((when === 'invitations' || when === 'past' || when === 'cancelled') && { when }),
  }
}

export const calendarViews = ['month', 'week', 'day', 'agenda'] as const
export type CalendarView = (typeof calendarViews)[number]

/** The view and date of the calendar. They are in the address, so that Back returns to them. */
export type CalendarSearch = { view?: CalendarView; date?: string }

/** Parse the search parameters; an invalid date means today. */
export function readCalendarSearch({ view, date }: Record<string, unknown>): CalendarSearch {
  const known = calendarViews.find((one) => one === view)
  return {
    ...(known !== undefined && { view: known }),
    ...(typeof date === 'string' && isDay(date) && { date }),
  }
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00`))

const meetingId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && /T.*Z$/.test(value) && !Number.isNaN(Date.parse(value))

/** The date of a series that the calendar's link opens: the instant of its start. */
type MeetingDateSearch = { date?: string }

/** Parse the search parameters; drop an invalid instant. */
export const readMeetingDateSearch = ({ date }: Record<string, unknown>): MeetingDateSearch =>
  isInstant(date) ? { date } : {}

/**
 * The first date to edit, with all following ones: its original start. Without one, the whole meeting is edited,
 * beginning with proposed times where there are any.
 */
type EditMeetingSearch = { from?: string; start?: string; end?: string }

/** Parse the search parameters; drop an invalid instant, and times that make no meeting. */
export const readEditMeetingSearch = ({ from, start, end }: Record<string, unknown>): EditMeetingSearch => ({
  ...(isInstant(from) && { from }),
  ...(isInstant(start) && isInstant(end) && Date.parse(start) < Date.parse(end) && { start, end }),
})

/** The start of a new meeting, an instant from a free slot of the calendar, or the id of the meeting to copy. */
type NewMeetingSearch = { start?: string; copy?: string }

/** Parse the search parameters; drop an invalid instant or id. */
export const readNewMeetingSearch = ({ start, copy }: Record<string, unknown>): NewMeetingSearch => ({
  ...(isInstant(start) && { start }),
  ...(typeof copy === 'string' && meetingId.test(copy) && { copy }),
})

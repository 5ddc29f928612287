/** The date of a series that the calendar's link opens: the instant of its start. */
export type MeetingDateSearch = { date?: string }

/** Parse the search parameters; drop an invalid instant. */
export const readMeetingDateSearch = ({ date }: Record<string, unknown>): MeetingDateSearch =>
  typeof date === 'string' && /T.*Z$/.test(date) && !Number.isNaN(Date.parse(date)) ? { date } : {}

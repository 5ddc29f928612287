/** Which date of a series was opened, as the calendar's links say it: the instant at which it starts. */
export type MeetingDateSearch = { date?: string }

/** Reads the address; what is no instant is left out. */
export const readMeetingDateSearch = ({ date }: Record<string, unknown>): MeetingDateSearch =>
  typeof date === 'string' && /T.*Z$/.test(date) && !Number.isNaN(Date.parse(date)) ? { date } : {}

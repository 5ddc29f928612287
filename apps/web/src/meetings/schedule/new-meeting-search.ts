/** When a new meeting is to start, as a free slot of the calendar says it: an instant. */
export type NewMeetingSearch = { start?: string }

/** Reads the address; what is no instant is left out. */
export const readNewMeetingSearch = ({ start }: Record<string, unknown>): NewMeetingSearch =>
  typeof start === 'string' && /T.*Z$/.test(start) && !Number.isNaN(Date.parse(start)) ? { start } : {}

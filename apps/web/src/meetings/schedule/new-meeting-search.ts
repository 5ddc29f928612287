/** When a new meeting is to start, as a free slot of the calendar says it: an instant. Or the meeting that it copies. */
export type NewMeetingSearch = { start?: string; copy?: string }

const meetingId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads the address; what is no instant is left out. */
export const readNewMeetingSearch = ({ start, copy }: Record<string, unknown>): NewMeetingSearch => ({
  ...(typeof start === 'string' && /T.*Z$/.test(start) && !Number.isNaN(Date.parse(start)) && { start }),
  ...(typeof copy === 'string' && meetingId.test(copy) && { copy }),
})

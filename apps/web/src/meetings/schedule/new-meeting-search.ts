/** The start of a new meeting, an instant from a free slot of the calendar, or the id of the meeting to copy. */
export type NewMeetingSearch = { start?: string; copy?: string }

const meetingId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Parse the search parameters; drop an invalid instant or id. */
export const readNewMeetingSearch = ({ start, copy }: Record<string, unknown>): NewMeetingSearch => ({
  ...(typeof start === 'string' && /T.*Z$/.test(start) && !Number.isNaN(Date.parse(start)) && { start }),
  ...(typeof copy === 'string' && meetingId.test(copy) && { copy }),
})

import type { MeetingSearch } from './search-params.ts'

const keyOfOne = (meetingId: string) => ['meetings', 'one', meetingId]

/**
 * The keys of all queries of meetings. A change (meeting-mutations.ts) refreshes those that begin like that of all
 * meetings, or of one.
 */
export const meetingKeys = {
  all: ['meetings'],
  any: ['meetings', 'any'],
  agenda: ({ q, role, when }: MeetingSearch) => ['meetings', 'agenda', { q, role, when }],
  current: ['meetings', 'current'],
  start: ['meetings', 'start'],
  dated: (from: Date, to: Date, limit: number) => ['meetings', 'dated', from.toISOString(), to.toISOString(), limit],
  one: keyOfOne,
  snapshot: (meetingId: string, use: 'edited' | 'moved') => [...keyOfOne(meetingId), use],
  date: (meetingId: string, date: string) => [...keyOfOne(meetingId), 'date', date],
  nextDates: (meetingId: string) => [...keyOfOne(meetingId), 'dates'],
  remainingDates: (meetingId: string) => [...keyOfOne(meetingId), 'ahead'],
  datesBefore: (meetingId: string, originalStartTime: string) => [...keyOfOne(meetingId), 'before', originalStartTime],
  laterDates: (meetingId: string, after: string) => [...keyOfOne(meetingId), 'later', after],
  proposals: (meetingId: string) => [...keyOfOne(meetingId), 'proposals'],
  history: (meetingId: string) => [...keyOfOne(meetingId), 'history'],
  peopleInside: (meetingId: string) => [...keyOfOne(meetingId), 'inside'],
  handOvers: ['hand-overs'],
  feed: ['calendar-feed'],
}

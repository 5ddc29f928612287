import { createMeeting, listMeetings, readUserProfile } from '@parley/contract'
import type { WireRequest } from './wire.ts'

export const apiCalls = ['profile', 'meetings', 'create'] as const
export type ApiCall = (typeof apiCalls)[number]

const dayMs = 24 * 60 * 60 * 1_000
const halfHourMs = 30 * 60 * 1_000
const few = 3

/** The API calls of the playground, before the token is added. */
export function toWireRequest(call: ApiCall, now: Date): WireRequest {
  switch (call) {
    case 'profile':
      return { method: 'GET', url: readUserProfile.path, headers: {} }
    case 'meetings':
      return { method: 'GET', url: `${listMeetings.path.replace(':userId', 'me')}?limit=${few}`, headers: {} }
    case 'create': {
      const headers = { 'content-type': 'application/json' }
      return { method: 'POST', url: createMeeting.path, headers, body: JSON.stringify(meetingOfTomorrow(now), null, 2) }
    }
  }
}

function meetingOfTomorrow(now: Date) {
  const startsAt = new Date(now.getTime() + dayMs)
  return {
    topic: 'Playground',
    description: '',
    participants: [],
    startTime: startsAt.toISOString(),
    endTime: new Date(startsAt.getTime() + halfHourMs).toISOString(),
    isPinEnabled: true,
    advancedOptions: {},
    repeatOptions: { repeat: 'none', timeZone: 'UTC' },
  }
}

import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { choice } from '../value.ts'
import { meetingPath } from './meeting-request.ts'

/** The colours of meetings in the pages, around the circle of hues. */
export const meetingColours = ['red', 'orange', 'gold', 'green', 'teal', 'blue', 'purple', 'pink'] as const

/** The colour of a meeting to the caller, for replies. */
export const meetingColour = choice(meetingColours, {
  description: "The caller's colour of the meeting: the one that they have chosen, else one that stays the same",
})
export type MeetingColour = Static<typeof meetingColour>

export const chooseMeetingColour = endpoint({
  name: 'chooseMeetingColour',
  method: 'PUT',
  path: '/api/meeting/meetingDetails/:meetingId/colour',
  tag: 'Meetings',
  summary: 'Choose the colour of a meeting in your calendar',
  description:
    'Only the caller sees it, on every date of the meeting. A series that is split keeps it in both parts. Nothing of the ' +
    'meeting changes, and no one is notified.',
  access: 'session',
  cost: 'light',
  params: meetingPath,
  body: Type.Object({ colour: choice(meetingColours, { description: 'The colour to show the meeting in' }) }),
  example: { colour: 'teal' },
  reply: Type.Object({ colour: meetingColour }),
  problems: ['meeting_not_found'],
})

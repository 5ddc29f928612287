import { Type } from 'typebox'
import { accountPath } from './administration-endpoints.ts'
import { endpoint } from './endpoint.ts'
import { meetingPath } from './meetings/meeting-request.ts'
import { passkeyResponse } from './passkey-response.ts'
import { answerBody, choice, password, statusReply, timestamp } from './value.ts'

const deletion = {
  meetings: Type.Optional(
    choice(['cancel', 'hand_over'], {
      default: 'cancel',
      description:
        'What becomes of the meetings ahead: cancelled, and their guests mailed; or offered for seven days to those of ' +
        'their cohosts who have an account in the same organisation, and cancelled where none of them accepts',
    }),
  ),
  currentPassword: Type.Optional(password('Your own password, the administrator’s where another account is deleted')),
  credential: Type.Optional(passkeyResponse),
}

const confirmationProblems = [
  'confirmation_required',
  'recent_sign_in_required',
  'wrong_credentials',
  'wrong_passkey',
] as const

export const exportOwnData = endpoint({
  name: 'exportOwnData',
  method: 'GET',
  path: '/api/my_profile/export',
  tag: 'Profile',
  summary: 'Download everything that is kept of you',
  description:
    '`json`: your profile, sessions, passkeys, tokens, apps, consents, meetings, invitations, attendance, mails and security ' +
    'log, as one document. `ics`: your meetings, for calendars. At most ten times an hour; that it was exported stands in ' +
    'your security log.',
  access: 'session',
  cost: 'compose',
  query: Type.Object({
    format: Type.Optional(choice(['json', 'ics'], { default: 'json', description: 'Format of the file' })),
  }),
  download: ['application/json', 'text/calendar'],
  reply: Type.String(),
  problems: ['too_many_requests'],
})

export const deleteOwnAccount = endpoint({
  name: 'deleteOwnAccount',
  method: 'POST',
  path: '/api/my_profile/delete',
  tag: 'Profile',
  summary: 'Delete your account',
  description:
    'At once: you are signed out everywhere, every token and consent ends, your apps are suspended, and your address is ' +
    'free. Within two days, when the guests of your meetings have been notified, everything but ids is erased; where ' +
    'meetings are offered to cohosts, within two days after the offers have ended. It cannot be ' +
    'taken back. The last administrator of an organisation cannot be deleted. Needs `currentPassword`, or in `credential` ' +
    'what a passkey answers to `POST /api/auth/passkeys/confirmation/options`, however recently you signed in. An account ' +
    'with neither, which signs in with the organisation\u2019s provider, needs a sign-in within the last ten minutes.',
  access: 'session',
  cost: 'elsewhere',
  body: Type.Object(deletion),
  example: { meetings: 'hand_over', currentPassword: 'your password' },
  reply: statusReply,
  problems: [...confirmationProblems, 'last_administrator', 'too_many_requests'],
})

export const deleteAccount = endpoint({
  name: 'deleteAccount',
  method: 'POST',
  path: '/api/admin/accounts/:userId/delete',
  tag: 'Administration',
  summary: 'Delete an account of your organisation',
  description: 'As its owner can. `currentPassword` or `credential` is the administrator\u2019s.',
  access: 'administrator',
  cost: 'elsewhere',
  params: accountPath,
  body: Type.Object(deletion),
  example: { meetings: 'hand_over', currentPassword: 'your password' },
  reply: statusReply,
  problems: ['account_not_found', ...confirmationProblems, 'last_administrator', 'too_many_requests'],
})

const handOver = Type.Object({
  meetingId: Type.String({ description: 'Id of the meeting' }),
  topic: Type.String({ description: 'Topic of the meeting' }),
  host: Type.Object(
    {
      name: Type.String({ description: 'Full name' }),
      email: Type.String({ description: 'Email address' }),
    },
    { description: 'Its host, whose account is deleted' },
  ),
  guests: Type.Integer({ description: 'Number of its participants and cohosts' }),
  offeredOn: timestamp({ description: 'When it was offered' }),
  expiresOn: timestamp({ description: 'When it is cancelled unless a cohost has accepted' }),
})

export const listHandOvers = endpoint({
  name: 'listHandOvers',
  method: 'GET',
  path: '/api/meeting/hand-overs',
  tag: 'Meetings',
  access: 'session',
  cost: 'query',
  summary: 'List the meetings that you are offered to host, because their host has left',
  description: 'Meetings that you are a cohost of, by the time until which you can accept.',
  reply: Type.Object({ handOvers: Type.Array(handOver, { description: 'At most 200' }) }),
  problems: [],
})

export const answerHandOver = endpoint({
  name: 'answerHandOver',
  method: 'POST',
  path: '/api/meeting/hand-overs/:meetingId',
  tag: 'Meetings',
  access: 'session',
  cost: 'query',
  summary: 'Accept or decline to host a meeting',
  description:
    'The first cohost who accepts is its host: code, PIN and link stay, host key and host PIN are new, and the guests ' +
    'who had mail about the meeting are mailed its new organizer. Your own entry is no longer updated by mail: subscribe ' +
    'to your calendar, or delete it. When all have declined, the meeting is cancelled. An answer cannot be changed.',
  params: meetingPath,
  body: answerBody,
  example: { answer: 'accepted' },
  reply: statusReply,
  problems: ['hand_over_not_found'],
})

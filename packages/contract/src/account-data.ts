import { Type } from 'typebox'
import { accountPath } from './administration.ts'
import { endpoint } from './endpoint.ts'
import { passkeyResponse } from './passkey-response.ts'
import { choice, password, statusReply } from './value.ts'

const deletion = {
  meetings: Type.Optional(
    choice(['cancel', 'hand_over'], {
      default: 'cancel',
      description:
        'What becomes of the meetings ahead: cancelled, and their guests mailed; or given to their first cohost of the ' +
        'same organisation who has an account, and cancelled where there is none',
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
    'free. Within two days, when the guests of your meetings have been notified, everything but ids is erased. It cannot be ' +
    'taken back. The last administrator of an organisation cannot be deleted. Needs `currentPassword`, or in `credential` ' +
    'what a passkey answers to `POST /api/auth/passkeys/confirmation/options`, however recently you signed in. An account ' +
    'with neither, which signs in with the organisation\u2019s provider, needs a sign-in within the last ten minutes.',
  access: 'session',
  body: Type.Object(deletion),
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
  params: accountPath,
  body: Type.Object(deletion),
  reply: statusReply,
  problems: ['account_not_found', ...confirmationProblems, 'last_administrator', 'too_many_requests'],
})

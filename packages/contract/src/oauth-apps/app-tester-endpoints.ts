import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { answerBody, choice, emailAddress, nullableText, timestamp } from '../value.ts'
import { appId, portal } from './portal.ts'

/** `pending` until the person answers; only people who have accepted can connect the sandbox. */
const testerStates = ['pending', 'accepted', 'declined'] as const
export type TesterState = (typeof testerStates)[number]

const invitation = {
  state: choice(testerStates, { description: 'What the person answered' }),
  invitedOn: timestamp({ description: 'When the invitation was mailed' }),
  answeredOn: nullableText({ format: 'date-time', description: 'When the person answered; null while `pending`' }),
}

const testers = Type.Object({
  testers: Type.Array(
    Type.Object({
      email: Type.String({ description: 'Email address that was invited' }),
      ...invitation,
    }),
    { description: 'The people who are invited: at most 100' },
  ),
})

export const listTesters = endpoint({
  name: 'listTesters',
  method: 'GET',
  path: '/api/oauth2/apps/:appId/testers',
  ...portal,
  cost: 'query',
  summary: 'List whom you have invited to use the sandbox beside you, and what they answered',
  params: appId,
  reply: testers,
  problems: ['oauth_not_enabled', 'app_not_found'],
})

export const replaceTesters = endpoint({
  name: 'replaceTesters',
  method: 'PUT',
  path: '/api/oauth2/apps/:appId/testers',
  ...portal,
  cost: 'query',
  summary: 'Say who may use the sandbox beside you; sandbox tokens of the others end',
  description:
    'Who is new is invited by mail and can use the sandbox once they have accepted. Who was invited before keeps their ' +
    'answer. A tester who was removed and is named again is asked again.',
  params: appId,
  body: Type.Object({ testers: Type.Array(emailAddress(), { description: 'Email addresses, 100 at most' }) }),
  example: { testers: ['you@example.org'] },
  reply: testers,
  problems: ['oauth_not_enabled', 'app_not_found', 'testers_not_allowed', 'too_many_requests'],
})

const testerInvitation = Type.Object({
  app: Type.Object(
    {
      _id: Type.String({ description: 'Id of the app, for `appId`' }),
      name: Type.String({ description: 'Name of the app' }),
      homepageUrl: Type.String({ description: 'Address of its page' }),
    },
    { description: 'The app to test' },
  ),
  owner: Type.Object(
    {
      name: Type.String({ description: 'Full name' }),
      email: Type.String({ description: 'Email address' }),
    },
    { description: 'Its developer, who invites you' },
  ),
  ...invitation,
})

export const listTesterInvitations = endpoint({
  name: 'listTesterInvitations',
  method: 'GET',
  path: '/api/oauth2/tester-invitations',
  tag: 'OAuth',
  access: 'session',
  cost: 'query',
  summary: 'List the apps that you are invited to test, the newest invitation first',
  reply: Type.Object({ invitations: Type.Array(testerInvitation, { description: 'Your invitations' }) }),
  problems: [],
})

export const answerTesterInvitation = endpoint({
  name: 'answerTesterInvitation',
  method: 'POST',
  path: '/api/oauth2/tester-invitations/:appId',
  tag: 'OAuth',
  access: 'session',
  cost: 'light',
  summary: 'Accept or decline to test an app',
  description:
    'An answer can be changed as long as the invitation stands. To decline what was accepted ends what the sandbox of ' +
    'the app holds for you.',
  params: appId,
  body: answerBody,
  example: { answer: 'accepted' },
  reply: testerInvitation,
  problems: ['tester_invitation_not_found'],
})

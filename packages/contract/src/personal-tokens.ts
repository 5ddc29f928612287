import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { personalScopeNames } from './scopes.ts'
import { choice, maxTimestampLength, nullableText, plainText, timestamp, word } from './value.ts'

const personalToken = Type.Object({
  _id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(choice(personalScopeNames)),
  createdOn: timestamp(),
  expiresOn: nullableText({ format: 'date-time' }),
  lastUsedOn: nullableText({ format: 'date-time' }),
})
export type PersonalToken = Static<typeof personalToken>

export const listPersonalTokens = endpoint({
  name: 'listPersonalTokens',
  method: 'GET',
  path: '/api/auth/tokens',
  tag: 'Accounts',
  summary: 'List your personal access tokens',
  access: 'session',
  reply: Type.Object({ tokens: Type.Array(personalToken) }),
  problems: [],
})

export const createPersonalToken = endpoint({
  name: 'createPersonalToken',
  method: 'POST',
  path: '/api/auth/tokens',
  tag: 'Accounts',
  summary: 'Make a personal access token for a script',
  description: 'The `token` stands in this answer only.',
  access: 'session',
  body: Type.Object({
    name: plainText(100, '1 to 100 characters'),
    scopes: Type.Array(word(), {
      description: 'At least one of the scopes of apps, or `apps:manage`, which opens the portal for apps',
      examples: [['meeting:read']],
    }),
    expiresOn: Type.Optional(
      nullableText({ format: 'date-time', maxLength: maxTimestampLength, description: 'Never when absent' }),
    ),
  }),
  reply: Type.Object({ ...personalToken.properties, token: Type.String() }),
  replyStatuses: [201],
  problems: ['too_many_tokens'],
})

export const deletePersonalToken = endpoint({
  name: 'deletePersonalToken',
  method: 'DELETE',
  path: '/api/auth/tokens/:tokenId',
  tag: 'Accounts',
  summary: 'Delete a personal access token at once',
  access: 'session',
  params: Type.Object({ tokenId: Type.String() }),
  reply: Type.Object({ status: Type.String() }),
  problems: ['token_not_found'],
})

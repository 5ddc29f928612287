import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { personalScopeNames } from './scopes.ts'
import { choice, maxTimestampLength, nullableText, plainText, statusReply, timestamp, word } from './value.ts'

const personalToken = Type.Object({
  _id: Type.String({ description: 'Id of the token, for `tokenId`' }),
  name: Type.String({ description: 'Name that its owner gave it' }),
  scopes: Type.Array(choice(personalScopeNames), { description: 'What the token permits' }),
  createdOn: timestamp({ description: 'When it was made' }),
  expiresOn: nullableText({ format: 'date-time', description: 'When it ends; null: never' }),
  lastUsedOn: nullableText({ format: 'date-time', description: 'When it was last used; null: never' }),
})
export type PersonalToken = Static<typeof personalToken>

export const listPersonalTokens = endpoint({
  name: 'listPersonalTokens',
  method: 'GET',
  path: '/api/auth/tokens',
  tag: 'Accounts',
  summary: 'List your personal access tokens',
  access: 'session',
  cost: 'query',
  reply: Type.Object({ tokens: Type.Array(personalToken, { description: 'Your tokens, without their values' }) }),
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
  cost: 'light',
  body: Type.Object({
    name: plainText(100, 'Name of the token: 1 to 100 characters'),
    scopes: Type.Array(word(), {
      description: 'At least one of the scopes of apps, or `apps:manage`, which opens the portal for apps',
      examples: [['meeting:read']],
    }),
    expiresOn: Type.Optional(
      nullableText({
        format: 'date-time',
        maxLength: maxTimestampLength,
        description: 'When it ends; null or absent: never',
      }),
    ),
  }),
  example: { name: 'Laptop', scopes: ['meeting:read'] },
  reply: Type.Object({
    ...personalToken.properties,
    token: Type.String({ description: 'The token, for `Authorization: Bearer`; not shown again' }),
  }),
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
  cost: 'light',
  params: Type.Object({ tokenId: Type.String({ description: '`_id` of the token' }) }),
  reply: statusReply,
  problems: ['token_not_found'],
})

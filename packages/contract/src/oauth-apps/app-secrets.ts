import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { maxTimestampLength, nullableText, plainText, timestamp } from '../value.ts'
import { appId, done, portalInPerson } from './portal.ts'

const secret = Type.Object({
  _id: Type.String(),
  name: Type.String(),
  sandbox: Type.Boolean(),
  createdOn: timestamp(),
  expiresOn: nullableText({ format: 'date-time' }),
  lastUsedOn: nullableText({ format: 'date-time' }),
})

export const listSecrets = endpoint({
  name: 'listSecrets',
  method: 'GET',
  path: '/api/oauth2/apps/:appId/secrets',
  ...portalInPerson,
  summary: "List an app's active secrets, never their values",
  params: appId,
  reply: Type.Object({ secrets: Type.Array(secret) }),
  problems: ['oauth_not_enabled', 'app_not_found'],
})

export const createSecret = endpoint({
  name: 'createSecret',
  method: 'POST',
  path: '/api/oauth2/apps/:appId/secrets',
  ...portalInPerson,
  summary: 'Make a secret; its value stands in this answer only',
  params: appId,
  body: Type.Object({
    name: plainText(100, '1 to 100 characters'),
    expiresOn: Type.Optional(
      nullableText({ format: 'date-time', maxLength: maxTimestampLength, description: 'Never when absent' }),
    ),
    sandbox: Type.Optional(Type.Boolean({ default: false })),
  }),
  reply: Type.Object({ ...secret.properties, secret: Type.String() }),
  replyStatuses: [201],
  problems: ['oauth_not_enabled', 'app_not_found', 'app_not_approved', 'too_many_secrets'],
})

export const retireSecret = endpoint({
  name: 'retireSecret',
  method: 'DELETE',
  path: '/api/oauth2/apps/:appId/secrets/:secretId',
  ...portalInPerson,
  summary: 'Retire a secret at once; tokens live on',
  params: Type.Object({ appId: Type.String(), secretId: Type.String() }),
  reply: done,
  problems: ['oauth_not_enabled', 'app_not_found', 'secret_not_found'],
})

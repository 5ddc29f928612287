import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { maxTimestampLength, nullableText, plainText, statusReply, timestamp } from '../value.ts'
import { appId, portalInPerson } from './portal.ts'

const secret = Type.Object({
  _id: Type.String({ description: 'Id of the secret, for `secretId`' }),
  name: Type.String({ description: 'Name that its owner gave it' }),
  sandbox: Type.Boolean({ description: 'Whether it belongs to the sandbox' }),
  forPlayground: Type.Boolean({ description: 'Whether the Playground made it, for a day' }),
  createdOn: timestamp({ description: 'When it was made' }),
  expiresOn: nullableText({ format: 'date-time', description: 'When it ends; null: never' }),
  lastUsedOn: nullableText({ format: 'date-time', description: 'When it was last used; null: never' }),
})

export const listSecrets = endpoint({
  name: 'listSecrets',
  method: 'GET',
  path: '/api/oauth2/apps/:appId/secrets',
  ...portalInPerson,
  cost: 'light',
  summary: "List an app's active secrets, never their values",
  params: appId,
  reply: Type.Object({
    secrets: Type.Array(secret, {
      description: 'At most two live ones, two of the sandbox, and that of the Playground',
    }),
  }),
  problems: ['oauth_not_enabled', 'app_not_found'],
})

export const createSecret = endpoint({
  name: 'createSecret',
  method: 'POST',
  path: '/api/oauth2/apps/:appId/secrets',
  ...portalInPerson,
  cost: 'light',
  summary: 'Make a secret; its value stands in this answer only',
  params: appId,
  body: Type.Object({
    name: plainText(100, 'Name of the secret: 1 to 100 characters'),
    expiresOn: Type.Optional(
      nullableText({
        format: 'date-time',
        maxLength: maxTimestampLength,
        description: 'When it ends; null or absent: never',
      }),
    ),
    sandbox: Type.Optional(Type.Boolean({ default: false, description: 'Make a secret of the sandbox' })),
  }),
  example: { name: 'Laptop', sandbox: true },
  reply: Type.Object({
    ...secret.properties,
    secret: Type.String({ description: 'The client secret; not shown again' }),
  }),
  replyStatuses: [201],
  problems: ['oauth_not_enabled', 'app_not_found', 'public_client', 'app_not_approved', 'too_many_secrets'],
})

export const createPlaygroundSecret = endpoint({
  name: 'createPlaygroundSecret',
  method: 'POST',
  path: '/api/oauth2/apps/:appId/playground-secret',
  ...portalInPerson,
  cost: 'light',
  summary: 'Make the sandbox secret of the Playground',
  description:
    'It ends after a day, and the one that the Playground had before ends at once. The secrets that the developer has ' +
    'made stay as they are, and it does not count among them.',
  params: appId,
  reply: createSecret.reply,
  replyStatuses: [201],
  problems: ['oauth_not_enabled', 'app_not_found', 'public_client'],
})

export const retireSecret = endpoint({
  name: 'retireSecret',
  method: 'DELETE',
  path: '/api/oauth2/apps/:appId/secrets/:secretId',
  ...portalInPerson,
  cost: 'light',
  summary: 'Retire a secret at once; tokens live on',
  params: Type.Object({ ...appId.properties, secretId: Type.String({ description: '`_id` of the secret' }) }),
  reply: statusReply,
  problems: ['oauth_not_enabled', 'app_not_found', 'secret_not_found'],
})

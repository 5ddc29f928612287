import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { nullableText, timestamp } from '../value.ts'
import { appId, portal } from './portal.ts'

export const listAppEvents = endpoint({
  name: 'listAppEvents',
  method: 'GET',
  path: '/api/oauth2/apps/:appId/events',
  ...portal,
  summary: "What happened to an app's requests, with the exact causes of errors, the newest first",
  params: appId,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    after: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  reply: Type.Object({
    events: Type.Array(
      Type.Object({
        _id: Type.String(),
        createdOn: timestamp(),
        kind: Type.String({ examples: ['token_refused', 'consent_given', 'refresh_replayed'] }),
        cause: Type.String({ description: 'A plain sentence' }),
        sandbox: Type.Boolean(),
        requestId: Type.String(),
      }),
    ),
    moreAvailable: Type.Boolean(),
    nextCursor: nullableText(),
  }),
  problems: ['oauth_not_enabled', 'app_not_found'],
})

import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { afterCursor, pageFields, pageSize, timestamp } from '../value.ts'
import { appId, portal } from './portal.ts'

export const listAppEvents = endpoint({
  name: 'listAppEvents',
  method: 'GET',
  path: '/api/oauth2/apps/:appId/events',
  ...portal,
  cost: 'query',
  summary: "What happened to an app's requests, with the exact causes of errors, the newest first",
  params: appId,
  query: Type.Object({
    limit: pageSize(200, 50),
    after: afterCursor,
  }),
  reply: Type.Object({
    events: Type.Array(
      Type.Object({
        _id: Type.String({ description: 'Id of the event' }),
        createdOn: timestamp({ description: 'When it happened' }),
        kind: Type.String({
          description: 'What happened',
          examples: ['token_refused', 'consent_given', 'refresh_replayed'],
        }),
        cause: Type.String({ description: 'Why, as an English sentence' }),
        sandbox: Type.Boolean({ description: 'Whether it happened in the sandbox' }),
        requestId: Type.String({ description: '`X-Request-Id` of the response' }),
      }),
      { description: 'The events of this page' },
    ),
    ...pageFields,
  }),
  problems: ['oauth_not_enabled', 'app_not_found'],
})

import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { afterCursor, pageFields, pageSize, timestamp } from '../value.ts'
import { appId, portal } from './portal.ts'

/** The kinds of an app's events, by what people look for: what happened to the app, consents, and refusals. */
export const appEventKinds = {
  app: [
    'app_submitted',
    'app_approved',
    'app_rejected',
    'app_on_hold',
    'app_suspended',
    'app_resumed',
    'secret_created',
    'secret_retired',
  ],
  consents: ['consent_given', 'consent_denied', 'grant_revoked'],
  problems: [
    'authorization_refused',
    'client_refused',
    'token_refused',
    'api_refused',
    'embed_refused',
    'code_replayed',
    'refresh_replayed',
  ],
} as const
export type AppEventKind = (typeof appEventKinds)[keyof typeof appEventKinds][number]

const allKinds: readonly string[] = Object.values(appEventKinds).flat()
export const isAppEventKind = (kind: string): kind is AppEventKind => allKinds.includes(kind)

/** All kinds with commas fit in. */
const maxKindsLength = 500

export const listAppEvents = endpoint({
  name: 'listAppEvents',
  method: 'GET',
  path: '/api/oauth2/apps/:appId/events',
  ...portal,
  cost: 'query',
  summary: "What happened to an app's requests, with the exact causes of errors, the newest first",
  description:
    'Refusals that need no credentials of the app, such as a wrong secret, share an entry with those of the same cause and hour: `occurrences` counts them. `authorization_refused`, `consent_denied`, `client_refused`, `api_refused` and, of apps without a secret, `token_refused` are such kinds.',
  params: appId,
  query: Type.Object({
    limit: pageSize(200, 50),
    after: afterCursor,
    kind: Type.Optional(
      Type.String({
        maxLength: maxKindsLength,
        description: 'Only events of these kinds, separated by commas',
        examples: ['app_submitted,app_approved,app_on_hold'],
      }),
    ),
    sandbox: Type.Optional(Type.Boolean({ description: 'Only events of the sandbox, or only those of the live app' })),
    requestId: Type.Optional(
      Type.String({ maxLength: 128, description: 'Only the event of this request (`X-Request-Id`)' }),
    ),
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only events whose cause contains this text, or of this request id' }),
    ),
    fromDate: Type.Optional(timestamp({ description: 'At this time or later' })),
    toDate: Type.Optional(timestamp({ description: 'Before this time' })),
  }),
  reply: Type.Object({
    events: Type.Array(
      Type.Object({
        _id: Type.String({ description: 'Id of the event' }),
        createdOn: timestamp({ description: 'When it happened first' }),
        lastOccurredOn: timestamp({ description: 'When it happened last; the list is in this order' }),
        occurrences: Type.Integer({ description: 'How many times it happened within the hour', examples: [1] }),
        kind: Type.String({
          description: 'What happened',
          examples: ['token_refused', 'consent_given', 'refresh_replayed'],
        }),
        cause: Type.String({ description: 'Why, as an English sentence' }),
        sandbox: Type.Boolean({ description: 'Whether it happened in the sandbox' }),
        requestId: Type.String({ description: '`X-Request-Id` of the newest response' }),
      }),
      { description: 'The events of this page' },
    ),
    ...pageFields,
  }),
  problems: ['oauth_not_enabled', 'app_not_found'],
})

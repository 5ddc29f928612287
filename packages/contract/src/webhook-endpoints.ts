import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { eventTypeNames } from './events/event-types.ts'
import {
  afterCursor,
  choice,
  maxTimestampLength,
  nullableInteger,
  nullableText,
  pageFields,
  pageSize,
  plainText,
  statusReply,
  timestamp,
  word,
} from './value.ts'

const webhookOwners = ['person', 'app', 'grant', 'organisation'] as const
export type WebhookOwner = (typeof webhookOwners)[number]

export const webhookPayloads = ['thin', 'full'] as const
export type WebhookPayload = (typeof webhookPayloads)[number]

export const deliveryStates = ['waiting', 'delivered', 'failed', 'withheld'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const resentStates = ['failed', 'delivered', 'withheld', 'any'] as const
export type ResentState = (typeof resentStates)[number]

export const maxWebhookUrlLength = 2_000
export const maxWebhookDescriptionLength = 200
/** More than there are types. */
export const maxWebhookTypes = 50

const url = Type.String({
  maxLength: maxWebhookUrlLength,
  description: 'Where events are posted: `https`, without user name and fragment',
  examples: ['https://planner.example.com/parley'],
})
const types = Type.Array(word(), {
  description:
    'The types of events. Empty, with a session or for an app: all that the owner may read, also types to come. With a ' +
    'token, those of today that the token may read',
  examples: [['meeting.created', 'meeting.cancelled']],
})
const payload = choice(webhookPayloads, {
  description: '`thin`: ids and names of changed fields; `full`: also the meeting, as its page in the API, without PIN',
})
const description = plainText(maxWebhookDescriptionLength)
const nullableTimestamp = (text: string) => nullableText({ format: 'date-time', description: text })

const webhook = Type.Object({
  _id: Type.String({ description: 'Id of the webhook, for `webhookId`' }),
  owner: choice(webhookOwners, {
    description:
      '`person`: events of the account; `app`: of the people who granted the app; `grant`: of the grant of the token ' +
      'that made it; `organisation`: of all accounts',
  }),
  appId: nullableText({ description: 'The app, of `app` and `grant`' }),
  sandbox: Type.Boolean({ description: 'Of the grants of the app’s sandbox' }),
  personalTokenId: nullableText({
    description: 'The personal token that made it, with which it ends; null for a session and for an app',
  }),
  url,
  types: Type.Array(choice(eventTypeNames), { description: 'Empty: all that the owner may read' }),
  payload,
  description,
  state: choice(['active', 'failing', 'disabled'], {
    description: '`failing`: the last attempt was refused and is repeated; `disabled`: nothing is sent',
  }),
  disabledBecause: Type.Unsafe<'owner' | 'signed_out' | 'gone' | 'no_success' | null>({
    type: ['string', 'null'],
    enum: ['owner', 'signed_out', 'gone', 'no_success', null],
    description:
      '`owner`: it was switched off by a request; `signed_out`: all sign-ins of the account that made it have ended, ' +
      'by a new password or by the claim of the account; `gone`: it answered 410; `no_success`: no event was taken for ' +
      'three days',
  }),
  failingSince: nullableTimestamp('The first refusal since the last success'),
  lastSuccessOn: nullableTimestamp('When an event was taken last'),
  previousSecretUntil: nullableTimestamp('Until then the secret before the rotation signs as well'),
  createdOn: timestamp({ description: 'When it was created' }),
  modifiedOn: timestamp({ description: 'When a request changed it last' }),
})
export type Webhook = Static<typeof webhook>

const webhookWithSecret = Type.Object({
  ...webhook.properties,
  secret: Type.String({ description: '`whsec_` and base64, as in Standard Webhooks; never shown again' }),
})

const delivery = Type.Object({
  eventId: Type.String({ description: 'The `webhook-id` of every attempt' }),
  type: choice(eventTypeNames, { description: 'What happened' }),
  subject: Type.String({ description: 'The id of the meeting, the grant, the app or the webhook' }),
  sequence: nullableInteger({ description: 'The number of the event in its meeting; null for events of no meeting' }),
  timestamp: timestamp({ description: 'When the event happened' }),
  state: choice(deliveryStates, {
    description:
      '`waiting`: not taken yet; `failed`: given up after three days, or the webhook was disabled; `withheld`: the owner ' +
      'had no right to it any more',
  }),
  outOfOrder: Type.Boolean({
    description: 'Refused six times or sent again by a request, so that later events of the meeting may go ahead of it',
  }),
  attempts: Type.Integer({ description: 'How often it was sent' }),
  lastAttemptOn: nullableTimestamp('When it was sent last'),
  lastStatus: nullableInteger({ description: 'The HTTP status of the last response; null without one' }),
  nextAttemptOn: nullableTimestamp(
    'When it is sent next; while it is being sent, when that is repeated if the instance dies. Null where it waits for ' +
      'an earlier one, and where it does not wait',
  ),
})
export type WebhookDelivery = Static<typeof delivery>

const attempt = Type.Object({
  number: Type.Integer({ description: 'From 1' }),
  attemptedOn: timestamp({ description: 'When it was sent' }),
  durationMs: Type.Integer({ description: 'Until the response, or until it was given up, in milliseconds' }),
  status: nullableInteger({ description: 'Null without a response' }),
  error: nullableText({ description: 'Why there was no response, such as `timeout` or `private_address`' }),
  requestHeaders: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The headers of Standard Webhooks',
  }),
  requestBody: Type.String({ description: 'The first 4 KiB' }),
  responseHeaders: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
    description: 'Null without a response; long ones are cut',
  }),
  responseBody: nullableText({ description: 'The first 4 KiB' }),
})
export type WebhookAttempt = Static<typeof attempt>

const webhookId = Type.String({ description: '`_id` of the webhook' })
const params = Type.Object({ webhookId })
const deliveryParams = Type.Object({
  webhookId,
  eventId: Type.String({ description: 'The `webhook-id` of the event' }),
})
const everyone = Type.Optional(
  Type.Boolean({ description: 'The webhooks of the organisation; for administrators who are signed in' }),
)

const shared = { tag: 'Webhooks', access: 'any-scope' } as const

/** Whose webhooks a request may name. */
const refusalsOfOwner = [
  'insufficient_scope',
  'session_required',
  'app_token_refused',
  'administrator_required',
  'oauth_not_enabled',
  'app_not_found',
] as const

export const listWebhooks = endpoint({
  ...shared,
  cost: 'query',
  name: 'listWebhooks',
  method: 'GET',
  path: '/api/webhooks',
  summary: 'List your webhooks, those of an app or of the organisation',
  description: 'With the token of an app: those of its grant.',
  query: Type.Object({
    appId: Type.Optional(word({ description: 'The webhooks of this app of yours; needs a session or `apps:manage`' })),
    everyone,
  }),
  reply: Type.Object({ webhooks: Type.Array(webhook, { description: 'The webhooks, the oldest first' }) }),
  problems: refusalsOfOwner,
})

/** Without `types`, a webhook gets all events: the name that other services use must not be ignored. */
const namedOtherwise = Object.fromEntries(
  ['events', 'eventTypes', 'event_types', 'enabled_events'].map((name) => [name, 'is called types here']),
)

export const createWebhook = endpoint({
  ...shared,
  cost: 'light',
  name: 'createWebhook',
  method: 'POST',
  path: '/api/webhooks',
  summary: 'Have events posted to an address',
  description:
    'With the token of an app, the webhook is one of its grant and ends with it; with a personal token, it ends with the ' +
    'token. `secret` is in this reply only. A person ' +
    'has at most 10 webhooks, an app 10 and as many in its sandbox, a grant 5, the organisation 10. An account makes at ' +
    'most 30 an hour; that of an access token is its user.',
  body: Type.Object({
    url,
    types: Type.Optional(types),
    payload: Type.Optional(payload),
    description: Type.Optional(description),
    appId: Type.Optional(word({ description: 'A webhook of this app of yours; needs a session, as its secrets do' })),
    everyone,
    sandbox: Type.Optional(Type.Boolean({ description: 'With `appId`: for the grants of its sandbox' })),
  }),
  example: {
    url: 'https://planner.example/parley',
    types: ['meeting.created', 'meeting.updated', 'meeting.cancelled'],
  },
  reply: webhookWithSecret,
  misnomers: namedOtherwise,
  replyStatuses: [201],
  problems: [...refusalsOfOwner, 'too_many_webhooks', 'too_many_requests'],
})

export const readWebhook = endpoint({
  ...shared,
  cost: 'light',
  name: 'readWebhook',
  method: 'GET',
  path: '/api/webhooks/:webhookId',
  summary: 'Read a webhook',
  params,
  reply: webhook,
  problems: ['webhook_not_found'],
})

export const updateWebhook = endpoint({
  ...shared,
  cost: 'light',
  name: 'updateWebhook',
  method: 'PUT',
  path: '/api/webhooks/:webhookId',
  summary: 'Change a webhook, or switch it off or on',
  description:
    'Absent fields stay as they are. Events that happen while it is off are not sent later: when it is switched on, ' +
    '`webhook.gap` names the time, and `GET /api/events` has them. A personal token changes webhooks that it made, and ' +
    'with `apps:manage` those of apps. An account switches webhooks on at most 30 times an hour.',
  params,
  body: Type.Object({
    url: Type.Optional(url),
    types: Type.Optional(types),
    payload: Type.Optional(payload),
    description: Type.Optional(description),
    active: Type.Optional(Type.Boolean({ description: 'Off: nothing is sent, and what waits is given up' })),
  }),
  misnomers: namedOtherwise,
  example: { description: 'The mirror of our planner', active: true },
  reply: webhook,
  problems: ['insufficient_scope', 'session_required', 'app_token_refused', 'webhook_not_found', 'too_many_requests'],
})

export const deleteWebhook = endpoint({
  ...shared,
  cost: 'light',
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhooks/:webhookId',
  summary: 'Delete a webhook with its log',
  description: 'A personal token deletes webhooks that it made, and with `apps:manage` those of apps.',
  params,
  reply: statusReply,
  problems: ['session_required', 'webhook_not_found'],
})

export const rotateWebhookSecret = endpoint({
  ...shared,
  cost: 'light',
  name: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/webhooks/:webhookId/secret',
  summary: 'Replace the secret of a webhook',
  description:
    'Both secrets sign for 24 hours. The new one is in this reply only. A secret that was replaced before ends at once: ' +
    'never more than two sign. That of an app needs a session.',
  params,
  reply: webhookWithSecret,
  problems: ['insufficient_scope', 'session_required', 'webhook_not_found'],
})

export const sendTestEvent = endpoint({
  ...shared,
  cost: 'elsewhere',
  name: 'sendTestEvent',
  method: 'POST',
  path: '/api/webhooks/:webhookId/test',
  summary: 'Send a sample of an event',
  description:
    'It is recorded as `webhook.test`, and repeated as other events are if it is refused. `test` is true in what is sent. ' +
    'At most 60 an hour for each account.',
  params,
  body: Type.Object({
    type: Type.Optional(choice(eventTypeNames, { description: '`webhook.test` if absent' })),
  }),
  example: { type: 'meeting.updated' },
  reply: Type.Object({ eventId: Type.String({ description: 'The `webhook-id` of the test event' }) }),
  replyStatuses: [202],
  problems: ['insufficient_scope', 'session_required', 'webhook_not_found', 'webhook_disabled', 'too_many_requests'],
})

export const listWebhookDeliveries = endpoint({
  ...shared,
  cost: 'query',
  name: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/webhooks/:webhookId/deliveries',
  summary: 'List the events of a webhook of the last 30 days, the newest first',
  params,
  query: Type.Object({
    state: Type.Optional(choice(deliveryStates, { description: 'Only deliveries in this state' })),
    after: afterCursor,
    limit: pageSize(100, 50),
  }),
  reply: Type.Object({
    deliveries: Type.Array(delivery, { description: 'The deliveries of this page' }),
    ...pageFields,
  }),
  problems: ['insufficient_scope', 'webhook_not_found'],
})

export const readWebhookDelivery = endpoint({
  ...shared,
  cost: 'light',
  name: 'readWebhookDelivery',
  method: 'GET',
  path: '/api/webhooks/:webhookId/deliveries/:eventId',
  summary: 'Read an event of a webhook with its attempts',
  params: deliveryParams,
  reply: Type.Object({
    ...delivery.properties,
    attemptLog: Type.Array(attempt, { description: 'The last 100, in order' }),
  }),
  problems: ['insufficient_scope', 'webhook_not_found', 'delivery_not_found'],
})

export const resendWebhookEvents = endpoint({
  ...shared,
  cost: 'query',
  name: 'resendWebhookEvents',
  method: 'POST',
  path: '/api/webhooks/:webhookId/resend',
  summary: 'Send events again: one, a range, or all that failed',
  description:
    'Each is sent with its id, beside the order of its meeting, and repeated for three days as a new event is. The ' +
    'oldest come first, at most 10,000 at once. Without fields: all that failed. What waits is not affected.',
  params,
  body: Type.Object({
    eventId: Type.Optional(word({ description: 'This event alone, whether or not it was taken' })),
    from: Type.Optional(timestamp({ maxLength: maxTimestampLength, description: 'Events from this time on' })),
    to: Type.Optional(timestamp({ maxLength: maxTimestampLength, description: 'Events before this time' })),
    state: Type.Optional(
      choice(resentStates, { description: '`failed` if absent; `any`: whether taken, failed or withheld' }),
    ),
  }),
  example: { from: '2030-01-07T00:00:00Z', to: '2030-01-08T00:00:00Z', state: 'failed' },
  reply: Type.Object({ count: Type.Integer({ description: 'How many are sent again' }) }),
  replyStatuses: [202],
  problems: ['insufficient_scope', 'session_required', 'webhook_not_found', 'delivery_not_found', 'webhook_disabled'],
})

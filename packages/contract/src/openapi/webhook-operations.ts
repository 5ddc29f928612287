import { type EventType, eventTypeNames, eventTypes } from '../index.ts'
import { anyEventName, schemaNameOf } from './delivered-events.ts'
import type { JsonObject } from './schema.ts'

/**
 * What webhooks receive, by the type of the event: the `webhooks` of OpenAPI 3.1, whose requests this service sends. The
 * headers are in words: generators would make a type of those of each request.
 */
export const webhookOperations = (baseUrl: string): Record<string, Record<'post', JsonObject>> =>
  Object.fromEntries(eventTypeNames.map((type) => [type, { post: operationOf(type, baseUrl) }]))

/**
 * The same as a callback of the endpoint that creates a webhook. oapi-codegen keeps only schemas that an operation of
 * `paths` leads to (docs/decisions/0141).
 */
export const eventCallback = (baseUrl: string): JsonObject => ({
  event: {
    '{$request.body#/url}': {
      post: {
        ...sharedParts,
        operationId: 'receiveEvent',
        summary: 'An event is posted to the address',
        description: `Each event of the webhook, in the form of its type: see the webhooks below.\n\n${delivery(baseUrl)}`,
        requestBody: bodyOf(anyEventName),
      },
    },
  },
})

const operationOf = (type: EventType, baseUrl: string): JsonObject => ({
  ...sharedParts,
  operationId: `receive${inPascalCase(type)}`,
  summary: type,
  description: [eventTypes[type].description, rights[eventTypes[type].right], delivery(baseUrl)].join('\n\n'),
  requestBody: bodyOf(schemaNameOf(type), {
    examples: { [type]: { summary: `A sample of ${type}`, value: sampleOf(type, baseUrl) } },
  }),
})

const bodyOf = (schemaName: string, more: JsonObject = {}): JsonObject => ({
  required: true,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schemaName}` }, ...more } },
})

const sharedParts: JsonObject = {
  tags: ['Webhooks'],
  // The receiver verifies the signature.
  security: [],
  responses: {
    '2XX': { description: 'Taken: the event is not sent again.' },
    410: { description: 'The webhook is switched off, and what waits is given up.' },
    default: {
      description:
        'Refused: the event is sent again, for three days. So it is after a redirect, which is not followed, and without ' +
        'a response within 15 seconds. `Retry-After` asks for a longer wait, of up to 24 hours.',
    },
  },
}

const rights: Record<(typeof eventTypes)[EventType]['right'], string> = {
  'meeting:read':
    'For webhooks of the host, of apps that the host granted `meeting:read`, and of the organisation, if they name this ' +
    'type or none.',
  'apps:manage':
    'For webhooks of the owner of the app, of the app, and of the organisation, if they name this type or none.',
  grant:
    'For webhooks of the person, of the app, of the grant, and of the organisation, if they name this type or none.',
  webhook: 'For the webhook itself, whatever types it names.',
}

const delivery = (baseUrl: string) =>
  `
Headers, as in [Standard Webhooks](https://www.standardwebhooks.com):

- \`webhook-id\`: the \`id\` of the event, the same at every attempt
- \`webhook-timestamp\`: the time of the attempt, in seconds since 1970
- \`webhook-signature\`: \`v1,\` and the Base64 of HMAC-SHA256 over \`{webhook-id}.{webhook-timestamp}.{body}\`, with what
  follows \`whsec_\` in the secret, decoded from Base64, as the key. While a secret is replaced, two signatures with a
  space between them

[Verify the signature](${baseUrl}/docs/webhooks#verify-it) before you use the body. Events of one meeting come in order.
`.trim()

function sampleOf(type: EventType, baseUrl: string): JsonObject {
  const { sample } = eventTypes[type]
  const { meetingId, grantId, appId, webhookId, svcMeetId } = sample as { readonly [name: string]: string | undefined }
  return {
    id: '0d9bd5a3-38a1-4c0b-a7a3-6a0b7c4bd1f2',
    type,
    timestamp: '2026-11-23T03:30:00.000Z',
    sequence: meetingId === undefined ? null : 1,
    subject: meetingId ?? grantId ?? webhookId ?? appId,
    actingGrantId: null,
    data: { ...sample, ...(svcMeetId !== undefined && { joinUrl: `${baseUrl}/j/${svcMeetId}` }) },
    ...(type === 'webhook.test' && { test: true }),
  }
}

const inPascalCase = (type: EventType) =>
  type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

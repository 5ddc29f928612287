import { endpoints, type Tag } from '../index.ts'
import { operationOf, pathOf } from './operation.ts'
import { problemExamples, problemResponses } from './problems.ts'
import { type JsonObject, namedSchemas } from './schema.ts'
import { tokenErrorResponses } from './token-errors.ts'

export type OpenApiDocument = {
  openapi: string
  info: JsonObject
  externalDocs: JsonObject
  servers: readonly JsonObject[]
  tags: readonly JsonObject[]
  /** By path, then by method in lower case. */
  paths: Record<string, Record<string, JsonObject>>
  components: Record<string, JsonObject>
}

/** Build the OpenAPI 3.1 document from the contract alone. The same contract gives the same document. */
export function openapiDocument({ baseUrl, version }: { baseUrl: string; version: string }): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints) {
    paths[pathOf(endpoint)] = {
      ...paths[pathOf(endpoint)],
      [endpoint.method.toLowerCase()]: operationOf(endpoint),
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Parley',
      version,
      summary: 'Meetings: schedule, change, read, list and cancel them',
      description: introduction(baseUrl),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { url: `${baseUrl}/docs`, description: 'Documentation: conventions, OAuth 2.0, web SDK, operations' },
    servers: [{ url: baseUrl, description: 'This service' }],
    tags: Object.entries(tagMeanings).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The `token` of a sign-in, a personal token, or the `access_token` that an app was given. ' +
            '`Authorization: <token>` without the word `Bearer` is read alike.',
        },
        clientCredentials: {
          type: 'http',
          scheme: 'basic',
          description: "An app's client id and secret, each form-encoded (RFC 6749, 2.3.1).",
        },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName(baseUrl),
          description: 'Set by a sign-in, for our own pages: a change is taken from our own origin only.',
        },
      },
      schemas: namedSchemas(),
      parameters: {
        'Idempotency-Key': {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'Any text of yours, new for each change: a retry within 24 hours gets the first answer again.',
          schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['019aa4c2-6f00-7000-8000-0a1b2c3d4e5f'] },
        },
        'If-Match': {
          name: 'If-Match',
          in: 'header',
          description: 'The `ETag` that was read: refused with 412 when somebody changed the meeting since.',
          schema: { type: 'string', examples: ['"v1"'] },
        },
        'If-None-Match': {
          name: 'If-None-Match',
          in: 'header',
          description: 'The `ETag` of what is held: answered with 304 while it is still right.',
          schema: { type: 'string', examples: ['"Jd0q8PcVYB1xkrDkVgwGWA"'] },
        },
      },
      headers: {
        'X-Request-Id': {
          description: 'Names this request in the log.',
          required: true,
          schema: { type: 'string', format: 'uuid' },
        },
        ETag: {
          description: "The meeting's version, for `If-Match`; of a calendar what `If-None-Match` names.",
          schema: { type: 'string', examples: ['"v1"'] },
        },
        'Idempotency-Replayed': {
          description: 'Stands where this is the first answer to the same `Idempotency-Key`, again.',
          schema: { type: 'string', const: 'true' },
        },
        'Retry-After': {
          description: 'Seconds after which another try makes sense.',
          schema: { type: 'integer', minimum: 1 },
        },
        'WWW-Authenticate': { description: 'What is wrong with the token (RFC 6750, 3).', schema: { type: 'string' } },
      },
      responses: { ...problemResponses(endpoints.filter(({ form }) => !form)), ...tokenErrorResponses() },
      examples: problemExamples(baseUrl),
    },
  }
}

/** Under https the cookie has the `__Host-` prefix, which binds it to this host. */
const sessionCookieName = (baseUrl: string) =>
  baseUrl.startsWith('https:') ? '__Host-parley_session' : 'parley_session'

const introduction = (baseUrl: string) =>
  `
Read first: [API conventions](${baseUrl}/docs/api-conventions), [OAuth 2.0](${baseUrl}/docs/oauth), and the rest of the
[documentation](${baseUrl}/docs).

Every answer carries an \`X-Request-Id\`. Timestamps are RFC 3339 with any offset, and are answered in UTC.

A problem is \`application/problem+json\` (RFC 9457) with a stable \`code\`; where fields are wrong, \`errors\` names
each of them by JSON Pointer, all at once. Fields that are not known are ignored, so that what was read can be sent back.
`.trim()

const tagMeanings: Record<Tag, string> = {
  Meetings: 'Single meetings and series: daily, weekly, monthly.',
  Calendars: 'A private address at which calendar programs read the meetings of a person.',
  Profile: 'The person who calls.',
  OAuth: 'Tokens for apps that act for people who let them (RFC 6749), and which apps one has let.',
  Apps: 'Registering apps: what they say of themselves, their secrets, their sandbox, their log.',
  Reviews: 'Looking at what apps say of themselves, for reviewers.',
  Accounts: 'Signing up and in, sessions, passwords, and personal tokens for scripts.',
  Rooms: 'Where meetings take place: who may enter, and when.',
  Administration: "An organisation's accounts, for its administrators.",
  Service: 'The service itself: its health, its version, its time zones, its problems.',
}

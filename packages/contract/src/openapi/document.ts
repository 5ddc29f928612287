import { createWebhook, endpoints, type Tag } from '../index.ts'
import { authorizeOperation, authorizePath } from './authorize.ts'
import { operationOf, pathOf } from './endpoint-operation.ts'
import { requestHeaders, responseHeaders } from './headers.ts'
import { anyOtherProblem, problemExamples } from './problem-responses.ts'
import { componentSchemas, type JsonObject } from './schema.ts'
import { securitySchemes } from './security-schemes.ts'
import { eventCallback, webhookOperations } from './webhook-operations.ts'

export type OpenApiDocument = {
  openapi: string
  info: JsonObject
  externalDocs: JsonObject
  servers: readonly JsonObject[]
  tags: readonly JsonObject[]
  /** Operations by path, then by method in lower case. */
  paths: Record<string, Record<string, JsonObject>>
  /** Webhook requests by the type of the event. */
  webhooks: Record<string, Record<'post', JsonObject>>
  components: Record<string, JsonObject>
}

/** Build the OpenAPI 3.1 document from the contract alone. The same contract gives the same document. */
export function openapiDocument({ baseUrl, version }: { baseUrl: string; version: string }): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = { [authorizePath]: { get: authorizeOperation() } }
  for (const endpoint of endpoints) {
    paths[pathOf(endpoint)] = {
      ...paths[pathOf(endpoint)],
      [endpoint.method.toLowerCase()]: {
        ...operationOf(endpoint),
        ...(endpoint === createWebhook && { callbacks: eventCallback(baseUrl) }),
      },
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Parley',
      version,
      summary: 'Meetings: schedule, change, read, list and cancel them',
      description: introduction(baseUrl),
      contact: { name: 'The operator of this service', url: `${baseUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { url: `${baseUrl}/docs`, description: 'Documentation: conventions, OAuth 2.0, web SDK, operations' },
    servers: [{ url: baseUrl, description: 'This service' }],
    tags: Object.entries(tagMeanings).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookOperations(baseUrl),
    components: {
      securitySchemes: securitySchemes(baseUrl),
      schemas: componentSchemas(),
      parameters: requestHeaders,
      headers: responseHeaders,
      responses: { AnyOtherProblem: anyOtherProblem(endpoints) },
      examples: problemExamples(baseUrl),
    },
  }
}

const introduction = (baseUrl: string) =>
  `
Read first: [API conventions](${baseUrl}/docs/api-conventions), [OAuth 2.0](${baseUrl}/docs/oauth), and the rest of the
[documentation](${baseUrl}/docs).

Every response has an \`X-Request-Id\`, a UUID that names the request in the log. 401 and 403 say in \`WWW-Authenticate\`
what is wrong with a token (RFC 6750, 3); 409, 429 and 503 say in \`Retry-After\` after how many seconds another try makes
sense, where they know it. Timestamps are ISO 8601 with any offset, in the extended or basic format, with or without
seconds, and are answered in UTC (RFC 3339).

A problem is \`application/problem+json\` (RFC 9457) with a stable \`code\`; where fields are wrong, \`errors\` names
each of them by JSON Pointer, all at once. Fields that are not known are ignored, so that what was read can be sent back;
\`ignoredFields\` of a reply that is an object names others by JSON Pointer. With \`Prefer: handling=strict\` they are refused.
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
  Events: 'What happened to meetings, grants and apps, in order, for programs that follow it.',
  Webhooks: 'Events posted to an address: of a person, of an app, of a grant or of the organisation.',
  Administration: "An organisation's accounts, for its administrators.",
  Service: 'The service itself: its health, its version, its time zones, its problems.',
}

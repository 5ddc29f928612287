import type { TObject, TSchema } from 'typebox'
import {
  type Endpoint,
  isScope,
  mediaTypesOf,
  scopesOf,
  sendUpdates,
  type TokenErrorCode,
  tokenErrorBody,
  tokenErrors,
} from '../index.ts'
import { maxPathParameterLength } from '../value.ts'
import { headersOf } from './headers.ts'
import { jsonFile } from './named-schemas.ts'
import { problemResponsesOf } from './problem-responses.ts'
import { type JsonObject, schemaOf } from './schema.ts'

/** One endpoint as an OpenAPI operation. */
export function operationOf(endpoint: Endpoint): JsonObject {
  const { name, tag, summary, description, body, form, example } = endpoint
  const parameters = parametersOf(endpoint)
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: [description, rightOf(endpoint)].filter((part) => part !== undefined).join('\n\n'),
    'x-cost': endpoint.cost,
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: {
          [bodyTypeOf(endpoint)]: {
            schema: schemaOf(body),
            ...(example !== undefined && { example: example as JsonObject }),
          },
        },
      },
    }),
    responses: { ...successesOf(endpoint), ...(form ? tokenErrorResponsesOf() : problemResponsesOf(endpoint)) },
  }
}

const bodyTypeOf = ({ form }: Endpoint) => (form ? 'application/x-www-form-urlencoded' : 'application/json')

/** OpenAPI writes parameters `{name}`. */
export const pathOf = ({ path }: Endpoint): string => path.replaceAll(/:(\w+)/g, '{$1}')

function rightOf(endpoint: Endpoint): string {
  const { access } = endpoint
  const scopes = writeScopes(scopesOf(endpoint))
  if (isScope(access)) return `A token needs ${scopes}; a signed-in person has every scope.`
  switch (access) {
    case 'anyone':
      return 'No token is needed.'
    case 'visitor':
      return `No token is needed; one that is sent needs ${scopes}.`
    case 'session':
      return 'For a signed-in person: a personal token is refused, whatever its scopes.'
    case 'any-scope':
      return 'For a signed-in person, or a token with any scopes: what it is answered depends on them.'
    case 'apps:manage':
      return `For a signed-in person, or their personal token with ${scopes}: an app's token is refused.`
    case 'administrator':
      return 'For a signed-in administrator: a personal token is refused, whatever its scopes.'
    case 'reviewer':
      return 'For a signed-in reviewer: a personal token is refused, whatever its scopes.'
    case 'client':
      return 'For an app: with its client id and secret, either as HTTP Basic or in the form, never both.'
  }
}

const writeScopes = (scopes: readonly string[]) =>
  `the scope${scopes.length > 1 ? 's' : ''} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`

function securityOf(endpoint: Endpoint): JsonObject[] {
  const { access } = endpoint
  if (access === 'anyone') return []
  // The empty alternative: the credentials may be in the form instead.
  if (access === 'client') return [{ clientCredentials: [] }, {}]
  const needed = scopesOf(endpoint)
  const signedIn = [...(isForApps(endpoint) ? [{ oauth2: needed }] : []), { token: [] }, { sessionCookie: [] }]
  return access === 'visitor' ? [{}, ...signedIn] : signedIn
}

/** Whether an app's token can call it; no app has `apps:manage`. */
function isForApps(endpoint: Endpoint): boolean {
  const needed = scopesOf(endpoint)
  return endpoint.access === 'any-scope' || (needed.length > 0 && needed.every(isScope))
}

function parametersOf(endpoint: Endpoint): JsonObject[] {
  const { method, params, query, idempotent, versioned, conditional, follow } = endpoint
  // A newly created resource has no earlier version.
  const changesVersion = versioned && params !== undefined && method !== 'GET'
  return [
    ...each(params, 'path'),
    ...each(query, 'query'),
    ...(idempotent ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
    ...(changesVersion ? [{ $ref: '#/components/parameters/If-Match' }] : []),
    ...(conditional ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
    ...(follow !== undefined ? [{ $ref: '#/components/parameters/Last-Event-ID' }] : []),
  ]
}

function each(schema: TObject | undefined, place: 'path' | 'query'): JsonObject[] {
  return Object.entries<TSchema>(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = parameterSchemaOf(property)
    const longest = place === 'path' ? { maxLength: maxPathParameterLength } : {}
    const required = place === 'path' || (schema?.required as string[] | undefined)?.includes(name) === true
    return {
      name,
      in: place,
      required,
      ...(description !== undefined && { description }),
      schema: { ...longest, ...rest },
      // A request that is tried in the reference mails no participant.
      ...(property === sendUpdates.properties.sendUpdates && { example: 'none' }),
    }
  })
}

/** The `default` of a parameter stays: generators do not make the parameter required by it. */
function parameterSchemaOf(schema: TSchema): JsonObject {
  const { description, default: defaultValue } = schema as TSchema & JsonObject
  const { description: _, ...written } = schemaOf(schema)
  return { description, ...written, ...(defaultValue !== undefined && { default: defaultValue }) }
}

function successesOf(endpoint: Endpoint): JsonObject {
  const {
    body,
    form,
    reply,
    replyStatuses = [200],
    idempotent,
    versioned,
    conditional,
    stream,
    follow,
    page,
  } = endpoint
  const tagged = versioned || conditional
  const headers = [
    ...(tagged ? ['ETag'] : []),
    ...(idempotent ? ['Idempotency-Replayed'] : []),
    ...(body !== undefined && !form ? ['Preference-Applied'] : []),
  ]
  const response = (status: number) => ({
    description: stream ? streamMeaning : follow ? followMeaning : (meanings[status] ?? 'The answer.'),
    ...headersOf(headers),
    ...(status !== 204 &&
      status !== 304 && {
        content: {
          ...Object.fromEntries(
            mediaTypesOf(endpoint).map((mediaType) => {
              const isJsonFile = endpoint.download !== undefined && mediaType === 'application/json'
              return [mediaType, { schema: schemaOf(isJsonFile ? jsonFile : reply) }]
            }),
          ),
          ...(follow !== undefined && { 'text/event-stream': { schema: schemaOf(follow) } }),
          ...(page && { 'text/html': { schema: { type: 'string' } } }),
        },
      }),
  })
  const statuses = [...replyStatuses, ...(conditional ? [304] : [])]
  return Object.fromEntries(statuses.map((status) => [String(status), response(status)]))
}

const streamMeaning =
  'Server-sent events that go on until either side ends them: the data of each is the whole of this, at once and ' +
  'again whenever it is another one. Comments in between show that the connection is alive.'

const followMeaning =
  'The answer. With `follow=true`, server-sent events that go on until either side ends them: the data of each is this, ' +
  'its `event` is the `type`, and its `id` is the cursor after it. An `id` without data moves the cursor on. Comments in ' +
  'between show that the connection is alive.'

const meanings: Record<number, string> = {
  201: 'Made.',
  202: 'Accepted: the rest is done after this response.',
  204: 'Done.',
  304: 'What `If-None-Match` names is still right.',
}

/** The error responses of an endpoint with a form body, by the status of RFC 6749's errors. */
const tokenErrorResponsesOf = (): JsonObject => ({
  ...Object.fromEntries(statuses().map((status) => [String(status), responseOf(status)])),
  default: { $ref: '#/components/responses/AnyOtherProblem' },
})

const codes = Object.keys(tokenErrors) as TokenErrorCode[]
const statuses = () => [...new Set(Object.values<number>(tokenErrors))].filter((status) => status < 500).toSorted()

function responseOf(status: number): JsonObject {
  const errors = codes.filter((code) => tokenErrors[code] === status)
  return {
    description: `${errors.map((code) => `\`${code}\``).join(', ')} (RFC 6749, 5.2).${status === 401 ? ' With `WWW-Authenticate` where Basic was used.' : ''}`,
    ...headersOf(status === 429 ? ['Retry-After'] : []),
    content: {
      'application/json': { schema: schemaOf(tokenErrorBody) },
    },
    'x-codes': errors,
  }
}

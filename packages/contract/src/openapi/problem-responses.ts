import { type Endpoint, type ProblemCode, problemSchema, problems, scopesOf } from '../index.ts'
import { headersOf } from './headers.ts'
import { type JsonObject, schemaOf } from './schema.ts'

const problemCodes = Object.keys(problems) as ProblemCode[]

/**
 * All problems of an endpoint: its own, and those that follow from its access and its input. Invalid Unicode is refused
 * everywhere, even in an unused query, so every endpoint can answer that. Problems that are independent of the endpoint
 * (timeouts, size limits, server errors) are the `default` response.
 */
function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const { access, cost, method, params, idempotent } = endpoint
  const found = new Set<ProblemCode>(['invalid_request', 'malformed_request', 'unavailable', ...endpoint.problems])
  // A parameter that is too long or invalid Unicode makes the path match no endpoint.
  if (params !== undefined) found.add('not_found')
  // Every body is read, even where none is expected; GET has none (RFC 9110, 9.3.1).
  if (method !== 'GET') found.add('malformed_body').add('body_too_large').add('unsupported_media_type')
  if (access !== 'anyone') {
    found.add('unauthorized')
    if (scopesOf(endpoint).length > 0) found.add('insufficient_scope')
    else if (access !== 'any-scope') found.add('session_required')
    if (access === 'apps:manage') found.add('app_token_refused')
    if (access === 'reviewer') found.add('reviewer_required')
    if (access === 'administrator') found.add('administrator_required')
    if (method !== 'GET') found.add('cross_origin')
  }
  // The requests in progress are limited, and the open streams.
  if (cost !== 'none') found.add('too_many_requests')
  if (idempotent) found.add('invalid_idempotency_key').add('key_in_flight').add('key_reused').add('quota_exceeded')
  return problemCodes.filter((code) => found.has(code))
}

/** The responses of an endpoint's problems, by status. */
export function problemResponsesOf(endpoint: Endpoint): JsonObject {
  const byStatus = Map.groupBy(problemsOf(endpoint), (code) => problems[code].status)
  const responses = [...byStatus].map(([status, codes]) => [String(status), responseOf(codes)])
  return { ...Object.fromEntries(responses), default: { $ref: '#/components/responses/AnyOtherProblem' } }
}

/** The response of the problems that no endpoint lists. */
export function anyOtherProblem(endpoints: readonly Endpoint[]): JsonObject {
  const listed = new Set(endpoints.flatMap(problemsOf))
  return responseOf(problemCodes.filter((code) => !listed.has(code)))
}

/** An example for each problem, in place of a generated value. */
export const problemExamples = (baseUrl: string): JsonObject =>
  Object.fromEntries(
    Object.entries(problems).map(([code, { status, title }]) => {
      const errors = [{ path: '/topic', code: 'required', message: 'topic is missing.' }]
      const shown = code === 'invalid_request' ? { detail: 'topic is missing.', code } : { detail: title, code }
      const requestId = '019aa4c2-6f00-7000-8000-5b1d2c3e4f50'
      const value = { type: `${baseUrl}/problems/${code}`, title, status, ...shown, requestId }
      return [code, { summary: title, value: code === 'invalid_request' ? { ...value, errors } : value }]
    }),
  )

function responseOf(codes: readonly ProblemCode[]): JsonObject {
  const headers = [...new Set(codes.flatMap((code) => headerNames[code] ?? []))]
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('\n\n'),
    ...headersOf(headers),
    content: {
      'application/problem+json': {
        schema: schemaOf(problemSchema),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
    // Not an `enum` of the schema: generators would make a type for each response, and a client would not accept a new
    // code.
    'x-codes': codes,
  }
}

const headerNames: { [code in ProblemCode]?: readonly string[] } = {
  key_in_flight: ['Retry-After'],
  stale_version: ['ETag'],
  too_many_requests: ['Retry-After'],
}

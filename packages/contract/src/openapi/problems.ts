import { type Endpoint, type ProblemCode, problemSchema, problems, scopesOf } from '../index.ts'
import { type JsonObject, schemaOf } from './schema.ts'

const problemCodes = Object.keys(problems) as ProblemCode[]

/**
 * Every problem that an endpoint can answer: its own, and those that follow from who may call it and what it takes.
 * No text anywhere may hold what is no Unicode, even in a query that is not read: so each can find fault with it.
 * What has to do with no endpoint (too slow, too long, our own fault) is the `default` response.
 */
export function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const { access, method, params, idempotent, stream } = endpoint
  const found = new Set<ProblemCode>(['invalid_request', 'malformed_request', 'unavailable', ...endpoint.problems])
  // A parameter that is no text, or too long, makes the address another one.
  if (params !== undefined) found.add('not_found')
  // Every body that is sent is read, wanted or not; with GET there is none (RFC 9110, 9.3.1).
  if (method !== 'GET') found.add('malformed_body').add('body_too_large').add('unsupported_media_type')
  if (access !== 'anyone') {
    found.add('unauthorized')
    if (scopesOf(endpoint).length > 0) found.add('insufficient_scope')
    else found.add('session_required')
    if (access === 'apps:manage') found.add('app_token_refused')
    if (access === 'reviewer') found.add('reviewer_required')
    if (access === 'administrator') found.add('administrator_required')
    if (method !== 'GET') found.add('cross_origin')
  }
  // Nobody holds open as many as they like.
  if (stream) found.add('too_many_requests')
  if (idempotent) found.add('invalid_idempotency_key').add('key_in_flight').add('key_reused')
  return problemCodes.filter((code) => found.has(code))
}

/** The responses of an endpoint's problems, by status, each referring to its component. */
export function problemResponsesOf(endpoint: Endpoint): JsonObject {
  const responses = groupsOf(endpoint).map((codes) => [
    String(statusOf(codes)),
    { $ref: `#/components/responses/${responseName(codes)}` },
  ])
  return { ...Object.fromEntries(responses), default: { $ref: '#/components/responses/AnyOtherProblem' } }
}

/** One response for each group of problems that some endpoint answers with one status, and one for all others. */
export function problemResponses(endpoints: readonly Endpoint[]): JsonObject {
  const groups = new Map(endpoints.flatMap(groupsOf).map((codes) => [responseName(codes), codes]))
  const inOrder = [...groups].toSorted(([one, a], [other, b]) => statusOf(a) - statusOf(b) || (one < other ? -1 : 1))
  const listed = new Set(inOrder.flatMap(([, codes]) => codes))
  return {
    ...Object.fromEntries(inOrder.map(([name, codes]) => [name, responseOf(codes)])),
    AnyOtherProblem: responseOf(problemCodes.filter((code) => !listed.has(code))),
  }
}

/** What each problem looks like; shown in place of a made-up value. */
export const problemExamples = (baseUrl: string): JsonObject =>
  Object.fromEntries(
    Object.entries(problems).map(([code, { status, title }]) => {
      const errors = [{ path: '/topic', code: 'required', message: 'topic is missing.' }]
      const told = code === 'invalid_request' ? { detail: 'topic is missing.', code } : { detail: title, code }
      const requestId = '019aa4c2-6f00-7000-8000-5b1d2c3e4f50'
      const value = { type: `${baseUrl}/problems/${code}`, title, status, ...told, requestId }
      return [code, { summary: title, value: code === 'invalid_request' ? { ...value, errors } : value }]
    }),
  )

function groupsOf(endpoint: Endpoint): ProblemCode[][] {
  const byStatus = Map.groupBy(problemsOf(endpoint), (code) => problems[code].status)
  return [...byStatus].toSorted(([one], [other]) => one - other).map(([, codes]) => codes)
}

function responseOf(codes: readonly ProblemCode[]): JsonObject {
  const headers = ['X-Request-Id', ...new Set(codes.flatMap((code) => headersOf[code] ?? []))]
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('\n\n'),
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      'application/problem+json': {
        schema: { allOf: [schemaOf(problemSchema), { properties: { code: { enum: codes } } }] },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

const headersOf: { [code in ProblemCode]?: readonly string[] } = {
  unauthorized: ['WWW-Authenticate'],
  insufficient_scope: ['WWW-Authenticate'],
  key_in_flight: ['Retry-After'],
  stale_version: ['ETag'],
  too_many_requests: ['Retry-After'],
  unavailable: ['Retry-After'],
}

const statusOf = ([code]: readonly ProblemCode[]) => (code === undefined ? 0 : problems[code].status)

/** `InvalidRequestOrMalformedBody`: a name that says what is in it and moves only when that does. */
const responseName = (codes: readonly ProblemCode[]) => codes.map(inPascalCase).join('Or')

const inPascalCase = (code: string) =>
  code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

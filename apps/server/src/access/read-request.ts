import type { IncomingHttpHeaders } from 'node:http'
import { type BodyOf, type Endpoint, misnomersOf, type QueryOf } from '@parley/contract'
import type { Parsed } from '@parley/rules/text/parsed'
import { type Violation, violationAt } from '@parley/rules/text/violation'
import { Type } from 'typebox'
import { invalidRequest } from '../platform/http/problem.ts'
import { createValidator, findUnknownFields, readQuery } from '../platform/http/validation.ts'
import type { Caller, CallerOf } from './caller.ts'

/**
 * The fields of a request that its schemas accept. Fields that a schema refused are absent, so that all violations are
 * reported at once.
 */
type ValidFields<E extends Endpoint> = {
  query: Partial<QueryOf<E>>
  body: Partial<BodyOf<E>>
  caller: CallerOf<E>
}

/** Turn the fields of a request into the values that its handler works with, or report what a schema cannot express. */
export type ReadRequest<E extends Endpoint, Input> = (valid: ValidFields<E>) => Parsed<Input>

/** A request, or a call of the same endpoint within the service, which has no headers. */
type SentRequest = { query?: unknown; body?: unknown; headers?: IncomingHttpHeaders }

/** The preference by which a caller has unknown fields refused (RFC 7240, 4.4). */
const strictHandling = 'handling=strict'

/** Whether a request asks to refuse unknown fields. */
export const isStrict = ({ prefer }: IncomingHttpHeaders): boolean =>
  typeof prefer === 'string' &&
  prefer.split(',').some((preference) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(preference))

/** The header that confirms the preference. */
export const strictApplied = { 'preference-applied': strictHandling }

const noParameters = Type.Object({})

/** Validate a request by its schemas, read it, and report all violations at once. @throws invalid_request */
export function createRequestReader<E extends Endpoint, Input>(endpoint: E, read: ReadRequest<E, Input> | undefined) {
  const validateQuery = createValidator(endpoint.query ?? noParameters)
  const validateBody = endpoint.body === undefined ? undefined : createValidator(endpoint.body)
  // A body without required fields may be omitted.
  const requiresNothing = (endpoint.body?.required ?? []).length === 0
  return (request: SentRequest, caller: Caller | undefined) => {
    const named = withCursor(endpoint, Object(request.query))
    const query = validateQuery(resumeAfterLastEventId(endpoint, readQuery(endpoint.query, named), request))
    const sent = request.body ?? (requiresNothing ? {} : undefined)
    const body = validateBody?.(sent) ?? { violations: [], valid: undefined }
    const refused = [
      ...query.violations,
      ...body.violations,
      ...misnomersIn(endpoint, { query: named, body: sent }),
      ...(isStrict(request.headers ?? {}) ? strictViolations(endpoint, { query: named, body: sent }) : []),
    ]
    // Skip `read` where the schema refused the query or the body as a whole.
    const mayRead = query.valid !== undefined && (validateBody === undefined || body.valid !== undefined)
    const valid = { query: query.valid, body: body.valid, caller } as ValidFields<E>
    const parsed = mayRead ? read?.(valid) : undefined
    const found = refused.concat(
      (parsed?.violations ?? []).filter(({ path }) => !refused.some((other) => covers(other.path, path))),
    )
    if (found.length > 0) throw invalidRequest(found)
    if (parsed?.violations !== undefined)
      throw new TypeError(`${endpoint.name}: read refused a request without a violation`)
    return { query: query.valid, body: body.valid, input: parsed?.value, ignoredFields: ignoredIn(endpoint, sent) }
  }
}

/** Accept the cursor under its other names, unless the query has `after` as well. */
function withCursor(endpoint: Endpoint, query: Record<string, unknown>): Record<string, unknown> {
  if (!Object.hasOwn(Object(endpoint.query?.properties), 'after')) return query
  const { cursor = query.nextCursor, nextCursor: _, ...others } = query
  return cursor === undefined ? query : { after: cursor, ...others }
}

function misnomersIn(endpoint: Endpoint, { query, body }: SentRequest): Violation[] {
  return Object.entries(misnomersOf(endpoint))
    .filter(([name]) => [query, body].some((part) => typeof part === 'object' && Object.hasOwn(part ?? {}, name)))
    .map(([name, message]) => violationAt(`/${name}`, { code: 'unknown_field', message }))
}

/** List the ignored fields of the body, except fields of a reply that clients send back. */
const ignoredIn = ({ body, reply, sentBack = reply }: Endpoint, sent: unknown): string[] =>
  body === undefined ? [] : findUnknownFields([body, sentBack], sent)

/** List the violations of strict handling, without names that are refused anyway. */
function strictViolations(endpoint: Endpoint, { query, body }: SentRequest): Violation[] {
  const unknownInQuery = findUnknownFields([endpoint.query ?? Type.Object({})], query)
  const unknownInBody = endpoint.body === undefined ? [] : findUnknownFields([endpoint.body], body)
  return [...unknownInQuery, ...unknownInBody]
    .filter((path) => !Object.hasOwn(misnomersOf(endpoint), path.slice(1)))
    .map((path) => violationAt(path, { code: 'unknown_field', message: 'is no field of this request' }))
}

/**
 * Take `after` from `Last-Event-ID` when a stream is opened again: a browser repeats the stream's first address, and sends
 * the id of the last event that it received in the header (HTML, 9.2.4).
 */
function resumeAfterLastEventId({ follow }: Endpoint, query: Record<string, unknown>, { headers = {} }: SentRequest) {
  if (follow === undefined || query.follow !== true) return query
  const last = headers['last-event-id']
  return last === undefined || last === '' ? query : { ...query, after: last }
}

/** A violation of a field covers those of the fields inside it. */
const covers = (path: string, inner: string) => inner === path || inner.startsWith(`${path}/`)

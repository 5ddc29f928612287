import type { BodyOf, Endpoint, QueryOf, Violation } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { invalidRequest } from '../platform/http/problem.ts'
import { readQuery } from '../platform/http/query.ts'
import { createValidator } from '../platform/http/validation.ts'
import type { Caller, CallerOf } from './caller.ts'

/**
 * Validate what a schema cannot express. Fields that the schema refused are absent, so that all violations are reported
 * at once.
 */
export type Check<E extends Endpoint> = (valid: ValidFields<E>) => readonly Violation[]

export type ValidFields<E extends Endpoint> = {
  query: Partial<QueryOf<E>>
  body: Partial<BodyOf<E>>
  caller: CallerOf<E>
}

/** Validate a request by its schemas, then by `check`, and report all violations at once. @throws invalid_request */
export function createRequestValidator<E extends Endpoint>(endpoint: E, check: Check<E> | undefined) {
  const validateQuery = createValidator(endpoint.query ?? Type.Object({}))
  const validateBody = endpoint.body === undefined ? undefined : createValidator(endpoint.body)
  // A body without required fields may be omitted.
  const requiresNothing = (endpoint.body?.required ?? []).length === 0
  return (request: FastifyRequest, caller: Caller | undefined) => {
    const query = validateQuery(readQuery(endpoint.query, Object(request.query)))
    const sent = request.body ?? (requiresNothing ? {} : undefined)
    const body = validateBody?.(sent) ?? { violations: [], valid: undefined }
    const refused = [...query.violations, ...body.violations]
    // Skip `check` where the schema refused the query or the body as a whole.
    const mayCheck = query.valid !== undefined && (validateBody === undefined || body.valid !== undefined)
    const checked = mayCheck && check ? check({ query: query.valid, body: body.valid, caller } as ValidFields<E>) : []
    const found = refused.concat(checked.filter(({ path }) => !refused.some((other) => covers(other.path, path))))
    if (found.length > 0) throw invalidRequest(found)
    return { query: query.valid, body: body.valid }
  }
}

/** A violation of a field covers those of the fields inside it. */
const covers = (path: string, inner: string) => inner === path || inner.startsWith(`${path}/`)

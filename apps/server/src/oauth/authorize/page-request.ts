import type { FastifyRequest } from 'fastify'
import { type Form, readForm } from '../../platform/http/form.ts'
import { addressOf } from '../../platform/http/http.ts'

/** Parse the raw query: Fastify's parser loses bytes that are not UTF-8. */
export function queryOf({ raw }: FastifyRequest): Form {
  const address = raw.url ?? ''
  const at = address.indexOf('?')
  return readForm(at === -1 ? '' : address.slice(at + 1))
}

/** The fields of a form, as the parser of `servePages` read them; empty without a body. */
export const formOf = ({ body }: FastifyRequest): Form => (body instanceof Map ? body : new Map())

/** What a session and the audit log record of a request. */
export const requestContextOf = (request: FastifyRequest) => ({
  id: request.id,
  address: addressOf(request),
  userAgent: request.headers['user-agent'] ?? '',
  acceptLanguage: request.headers['accept-language'] ?? '',
})

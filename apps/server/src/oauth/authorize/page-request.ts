import type { FastifyRequest } from 'fastify'
import { type Form, readForm } from '../../platform/http/form.ts'
import { addressOf } from '../../platform/http/http.ts'

/** The query as it came over the wire: Fastify's own reading would lose bytes that are not UTF-8. */
export function queryOf({ raw }: FastifyRequest): Form {
  const address = raw.url ?? ''
  const at = address.indexOf('?')
  return readForm(at === -1 ? '' : address.slice(at + 1))
}

/** The fields of a form that was sent, read by the parser of `servePages`; none when there was no body. */
export const formOf = ({ body }: FastifyRequest): Form => (body instanceof Map ? body : new Map())

/** What a session, or a line of a log, remembers of where it began. */
export const visitOf = (request: FastifyRequest) => ({
  id: request.id,
  address: addressOf(request),
  userAgent: request.headers['user-agent'] ?? '',
  acceptLanguage: request.headers['accept-language'] ?? '',
})

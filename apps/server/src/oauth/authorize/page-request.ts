import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Encryption } from '../../platform/encryption.ts'
import { type Form, readForm, soleText } from '../../platform/http/form.ts'
import { addressOf } from '../../platform/http/http.ts'
import type { Dependencies } from '../dependencies.ts'
import { AuthorizeError } from './authorize-error.ts'

/** Parse the raw query: Fastify's parser loses bytes that are not UTF-8. */
export function queryOf({ raw }: FastifyRequest): Form {
  const address = raw.url ?? ''
  const at = address.indexOf('?')
  return readForm(at === -1 ? '' : address.slice(at + 1))
}

/** The fields of a form, as the parser of authorization-pages.ts read them; empty without a body. */
export const formOf = ({ body }: FastifyRequest): Form => (body instanceof Map ? body : new Map())

/** What a session and the audit log record of a request. */
export const requestContextOf = (request: FastifyRequest) => ({
  id: request.id,
  address: addressOf(request),
  userAgent: request.headers['user-agent'] ?? '',
  acceptLanguage: request.headers['accept-language'] ?? '',
})

/** What a form's token is bound to: the form, the request, and the browser or session that it was shown in. */
type FormBinding = {
  form: 'login' | 'consent' | 'account' | 'tester'
  requestId: string
  /** A secret of that browser: its cookie, or the session id of a signed-in user. */
  boundTo: string
}

/** Derive the token in a form's hidden field. As a MAC, it need not be stored. */
export const csrfToken = (encryption: Encryption, { form, requestId, boundTo }: FormBinding): string =>
  encryption.mac('csrf', JSON.stringify([form, requestId, boundTo])).toString('base64url')

/**
 * Require that a form was shown to this browser. The token decides; if the browser also sends Origin, it must be ours.
 * Browsers send `Origin: null` with forms of pages that send no referrer, as ours do.
 * @throws form_refused
 */
export function requireOwnForm(
  { encryption, config: { baseUrl } }: Dependencies,
  request: FastifyRequest,
  form: Form,
  binding: FormBinding,
): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOwnOrigin = origin === undefined || origin === 'null' || origin === baseUrl
  const sent = Buffer.from(soleText(form, 'csrf') ?? '')
  const expected = Buffer.from(csrfToken(encryption, binding))
  const isExpected = sent.length === expected.length && timingSafeEqual(sent, expected)
  if (!isExpected || !isOwnOrigin || (site !== undefined && site !== 'same-origin'))
    throw new AuthorizeError('form_refused')
}

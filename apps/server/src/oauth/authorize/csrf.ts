import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Encryption } from '../../platform/encryption.ts'
import { type Form, soleText } from '../../platform/http/form.ts'
import { AuthorizeError } from './authorize-error-page.ts'

/** What a form's token is bound to: the form, the request, and the browser or session that it was shown in. */
type FormBinding = {
  form: 'login' | 'consent' | 'account' | 'tester'
  requestId: string
  /** A secret of that browser: its cookie, or the session id of a signed-in user. */
  boundTo: string
}

/** The token in a form's hidden field: a MAC, so nothing is stored. */
export const csrfToken = (encryption: Encryption, { form, requestId, boundTo }: FormBinding): string =>
  encryption.mac('csrf', JSON.stringify([form, requestId, boundTo])).toString('base64url')

/**
 * Require that a form was shown to this browser. The token decides; if the browser also sends Origin, it must be ours.
 * Browsers send `Origin: null` with forms of pages that send no referrer, as ours do.
 * @throws form_refused
 */
export function requireOwnForm(
  { encryption, baseUrl }: { encryption: Encryption; baseUrl: string },
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

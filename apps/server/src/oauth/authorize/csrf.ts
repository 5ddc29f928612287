import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Encryption } from '../../platform/encryption.ts'
import { type Form, soleText } from '../../platform/http/form.ts'
import { AuthorizeError } from './authorize-error-page.ts'

/** A form of ours, for one request, in the browser or the session that it was shown in. */
export type FormPlace = {
  form: 'login' | 'consent' | 'account' | 'tester'
  requestId: string
  /** What only that browser has: its cookie, or for somebody signed in the id of the session. */
  boundTo: string
}

/** The token that a form carries in a hidden field. Nothing of it is kept. */
export const csrfToken = (encryption: Encryption, { form, requestId, boundTo }: FormPlace): string =>
  encryption.mac('csrf', JSON.stringify([form, requestId, boundTo])).toString('base64url')

/**
 * Lets a form in that was shown to this very browser. The token decides; where the browser says where a form comes
 * from, that must be our own origin. Browsers send `Origin: null` with forms of pages that tell no referrer, as ours
 * (oauth.md 6.8).
 * @throws form_refused
 */
export function requireOwnForm(
  { encryption, baseUrl }: { encryption: Encryption; baseUrl: string },
  request: FastifyRequest,
  form: Form,
  place: FormPlace,
): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const fromHere = origin === undefined || origin === 'null' || origin === baseUrl
  const sent = Buffer.from(soleText(form, 'csrf') ?? '')
  const right = Buffer.from(csrfToken(encryption, place))
  const known = sent.length === right.length && timingSafeEqual(sent, right)
  if (!known || !fromHere || (site !== undefined && site !== 'same-origin')) throw new AuthorizeError('form_refused')
}

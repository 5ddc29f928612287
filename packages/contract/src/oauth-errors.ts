import { type Static, Type } from 'typebox'

/**
 * OAuth's errors: a catalogue of their own, with the codes and statuses that OAuth clients know (RFC 6749, 5.2; RFC
 * 6750, 3.1; RFC 8707, 2).
 */
export const tokenErrors = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  slow_down: 429,
  temporarily_unavailable: 503,
  server_error: 500,
} as const satisfies Record<string, number>

export type TokenErrorCode = keyof typeof tokenErrors

/** The error codes of redirects (RFC 6749, 4.1.2.1; RFC 8707, 2; OpenID Connect Core, 3.1.2.6 for `prompt=none`). */
export type AuthorizationErrorCode =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'server_error'
  | 'temporarily_unavailable'

/**
 * ASCII. Exact where the request alone shows the mistake, and for a client that has authenticated; else short and generic,
 * and the exact cause is in the app's event log (docs/oauth.md, "Event log").
 */
export const tokenErrorBody = Type.Object({
  error: Type.String({ description: 'The code of RFC 6749, 5.2', examples: ['invalid_grant'] }),
  error_description: Type.String({
    description: 'What is wrong, as short English text in ASCII; its wording may change',
  }),
  request_id: Type.String({ description: '`X-Request-Id` of the response, which the event log of the app names too' }),
})
export type TokenErrorBody = Static<typeof tokenErrorBody>

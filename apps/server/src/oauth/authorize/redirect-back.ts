import type { AuthorizationErrorCode } from '@parley/contract'
import { type RedirectParameter, withParameters } from '@parley/rules/oauth/redirect-uri'
import type { FastifyReply } from 'fastify'

/** The redirect URI of a response, and the parameters that it repeats. */
export type RedirectTarget = {
  redirectUri: string
  state: Buffer | null
  /** Our issuer identifier (RFC 9207); undefined when the app has opted out. */
  issuer: string | undefined
}

type AuthorizationResponse = { code: string } | { error: AuthorizationErrorCode; description: string }

/**
 * Redirect the browser to the app with a code or an error (RFC 6749, 4.1.2); 303, so that the form is not sent along.
 */
export function redirectBack(
  reply: FastifyReply,
  { redirectUri, state, issuer }: RedirectTarget,
  response: AuthorizationResponse,
) {
  const parameters: RedirectParameter[] =
    'code' in response
      ? [['code', response.code]]
      : [
          ['error', response.error],
          ['error_description', response.description],
        ]
  if (state !== null) parameters.push(['state', state])
  if (issuer !== undefined) parameters.push(['iss', issuer])
  return reply.redirect(withParameters(redirectUri, parameters), 303)
}

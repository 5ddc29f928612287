import type { AuthorizationErrorCode } from '@parley/contract'
import { type RedirectParameter, withParameters } from '@parley/rules/oauth/redirect-uri'
import type { FastifyReply } from 'fastify'

/** Where an answer goes, and what it repeats. */
export type WayBack = {
  redirectUri: string
  state: Buffer | null
  /** Our issuer, for apps that take it (RFC 9207). */
  issuer: string | undefined
}

export type AuthorizationAnswer = { code: string } | { error: AuthorizationErrorCode; description: string }

/** Sends the browser back to the app with a code or an error (RFC 6749, 4.1.2); 303, so that no form goes along. */
export function redirectBack(
  reply: FastifyReply,
  { redirectUri, state, issuer }: WayBack,
  answer: AuthorizationAnswer,
) {
  const parameters: RedirectParameter[] =
    'code' in answer
      ? [['code', answer.code]]
      : [
          ['error', answer.error],
          ['error_description', answer.description],
        ]
  if (state !== null) parameters.push(['state', state])
  if (issuer !== undefined) parameters.push(['iss', issuer])
  return reply.redirect(withParameters(redirectUri, parameters), 303)
}

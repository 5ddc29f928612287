import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  ClientError,
  type Configuration,
  fetchUserInfo,
} from 'openid-client'
import { createAnonymousCookie } from '../access/credentials/anonymous-cookie.ts'
import type { WithDatabase } from '../access/service.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { beginSession } from '../accounts/sessions/begin-session.ts'
import { inTransaction } from '../platform/database/database.ts'
import { isUniqueViolation } from '../platform/database/database-failure.ts'
import { addressOf } from '../platform/http/http.ts'
import { accountOfIdentity } from './account-of-identity.ts'
import { type Identity, readIdentity } from './identity.ts'
import { callbackPath, providerCookieName } from './paths.ts'
import { ProviderError } from './provider-error.ts'
import { consumeSignIn, type SignInSecrets } from './sign-in-store.ts'

/** Handle the provider's redirect, and sign its user in. */
export function serveFinishProviderSignIn(
  pages: FastifyInstance,
  service: WithDatabase<AccountsService>,
  openProvider: () => Promise<Configuration>,
) {
  const { database, clock, random, encryption, config, sessionCookie } = service
  const browserCookie = createAnonymousCookie({ name: providerCookieName, baseUrl: config.baseUrl, random })
  pages.get(callbackPath, async (request, reply) => {
    const now = clock.now()
    const { state } = Object(request.query) as { state?: unknown }
    const browserId = browserCookie.read(request.headers.cookie)
    if (typeof state !== 'string' || browserId === undefined) throw new ProviderError('sign_in_unknown')
    const started = await consumeSignIn(database, encryption, { state, browserId, now })
    if (started === undefined) throw new ProviderError('sign_in_unknown')

    const configuration = await openProvider().catch((error) => {
      throw new ProviderError('provider_away', error)
    })
    const answer = new URL(request.raw.url ?? '', config.baseUrl)
    const identity = await exchangeProviderCode(configuration, answer, { ...started, state })
    const context = signInContextOf(request)
    const isLocal = service.isLocalRequest(request)
    const signIn = () =>
      inTransaction(database, async (tx) => {
        const account = await accountOfIdentity(tx, service, identity, { ...context, isLocal, now })
        return beginSession(tx, service, account, { request: context, now, by: 'provider' })
      })
    // Two concurrent first sign-ins: the second violates the unique key and then finds the account.
    const session = await signIn().catch((error) => (isUniqueViolation(error) ? signIn() : Promise.reject(error)))
    return reply.header('set-cookie', sessionCookie.set(session.token)).redirect(started.returnTo, 303)
  })
}

const signInContextOf = (request: FastifyRequest) => ({
  address: addressOf(request),
  userAgent: request.headers['user-agent'] ?? '',
  acceptLanguage: request.headers['accept-language'] ?? '',
})

/**
 * Exchange the code, and validate the ID token: signature, issuer, audience, times, nonce (OpenID Connect Core 1.0,
 * 3.1.3.7). Ask the UserInfo endpoint when the token has no address.
 */
async function exchangeProviderCode(
  configuration: Configuration,
  answer: URL,
  { state, nonce, codeVerifier }: SignInSecrets & { state: string },
): Promise<Identity> {
  try {
    const tokens = await authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new ProviderError('answer_unsound')
    const needsUserInfo = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
    const userInfo = needsUserInfo ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
    return readIdentity(claims.iss, claims.sub, { ...userInfo, ...claims })
  } catch (error) {
    if (error instanceof ProviderError) throw error
    if (error instanceof AuthorizationResponseError) throw new ProviderError('provider_refused', error)
    // `fetch` throws a TypeError when the provider is unreachable; other errors are invalid responses.
    const isAway = error instanceof TypeError || (error instanceof ClientError && error.code === 'OAUTH_TIMEOUT')
    throw new ProviderError(isAway ? 'provider_away' : 'answer_unsound', error)
  }
}

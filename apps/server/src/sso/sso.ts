import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
} from 'openid-client'
import { createAnonymousCookie } from '../access/credentials/anonymous-cookie.ts'
import { networkOf } from '../access/network.ts'
import type { Dependencies } from '../accounts/dependencies.ts'
import { emailLanguage } from '../accounts/email-links/account-emails.ts'
import { beginSession } from '../accounts/sessions/sessions.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { isUniqueViolation } from '../platform/database/database-failure.ts'
import { addressOf } from '../platform/http/http.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { textsIn } from '../platform/texts.ts'
import { errorPage } from '../server-pages/error-page.ts'
import { sendPage } from '../server-pages/page.ts'
import { createProviderCache } from './open-provider.ts'
import { describeProviderError, ProviderError } from './provider-error.ts'
import { accountOfIdentity, type Identity, readIdentity } from './provider-identity.ts'
import { consumeSignIn, deleteExpiredSignIns, insertSignIn, type SignInSecrets } from './provider-sign-in-store.ts'

/** The path that starts a sign-in; the callback is registered with the provider. */
const signInPath = '/api/auth/provider-sign-in'
const callbackPath = `${signInPath}/callback`

/** The cookie that binds a sign-in to its browser. */
const providerCookieName = 'parley_provider'

/** Register the two paths of signing in with the organisation's provider, if one is configured. */
export function registerProviderSignIn(service: Dependencies & { http: FastifyInstance }): void {
  const { http, config } = service
  const { provider } = config
  if (provider === undefined) return
  const openProvider = createProviderCache(provider, service.clock)
  http.register(async (pages) => {
    const handleOtherErrors = pages.errorHandler
    pages.setErrorHandler(async (error, request, reply) => {
      if (!(error instanceof ProviderError)) return handleOtherErrors(error as Error, request, reply)
      // Log the error without the provider's response, which may hold tokens.
      const cause = error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : undefined
      request.log.warn({ requestId: request.id, code: error.code, cause }, 'a sign-in with the provider failed')
      const language = emailLanguage('', request.headers['accept-language'])
      const nextAction = { address: '/sign-in', text: textsIn(language, 'sso-pages')('back') }
      return sendPage(
        reply,
        errorPage(describeProviderError(error.code, provider.name, language), request.id, nextAction, language),
      )
    })
    serveBeginProviderSignIn(pages, service, openProvider)
    serveFinishProviderSignIn(pages, service, openProvider)
  })
}

/** The background work of sign-in with a provider: attempts that were not finished expire. */
export const createProviderSignInJobs = ({ database }: { database: Database }): ModuleJobs => ({
  deleteExpired: (now) => deleteExpiredSignIns(database, now),
})

/** Longer than any path of ours. */
const maxReturnToLength = 2_000

/**
 * Redirect to the provider, and store state, nonce and PKCE verifier for this browser (OpenID Connect Core 1.0,
 * 3.1.2.1).
 */
function serveBeginProviderSignIn(
  pages: FastifyInstance,
  service: Dependencies,
  openProvider: () => Promise<Configuration>,
) {
  const { database, clock, random, encryption, config, attemptLimits } = service
  const browserCookie = createAnonymousCookie({ name: providerCookieName, baseUrl: config.baseUrl, random })
  const secret = () => random.bytes(32).toString('base64url')
  pages.get(signInPath, async (request, reply) => {
    await attemptLimits.countOrRefuse('challengesOfNetwork', networkOf(addressOf(request)))
    const configuration = await openProvider().catch((error) => {
      throw new ProviderError('provider_away', error)
    })
    const known = browserCookie.read(request.headers.cookie)
    const created = known === undefined ? browserCookie.make() : undefined
    if (created !== undefined) reply.header('set-cookie', created.setCookie)
    const { returnTo } = Object(request.query) as { returnTo?: unknown }
    const started = { state: secret(), nonce: secret(), codeVerifier: secret() }
    await insertSignIn(database, encryption, {
      ...started,
      browserId: known ?? created?.id ?? '',
      returnTo: returnToOf(typeof returnTo === 'string' ? returnTo : undefined, config.baseUrl),
      now: clock.now(),
    })
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: `${config.baseUrl}${callbackPath}`,
      scope: 'openid profile email',
      state: started.state,
      nonce: started.nonce,
      code_challenge: await calculatePKCECodeChallenge(started.codeVerifier),
      code_challenge_method: 'S256',
    })
    return reply.redirect(address.href, 303)
  })
}

/** The path to open after signing in; the start page for anything but a path of ours, to avoid an open redirect. */
function returnToOf(requested: string | undefined, baseUrl: string): string {
  if (requested === undefined || requested.length > maxReturnToLength || !requested.startsWith('/')) return '/'
  // Browsers read //host, /\host and control characters in between as another site's address.
  if (!URL.canParse(requested, baseUrl)) return '/'
  const url = new URL(requested, baseUrl)
  return url.origin === baseUrl ? url.href.slice(baseUrl.length) : '/'
}

/** Handle the provider's redirect, and sign its user in. */
function serveFinishProviderSignIn(
  pages: FastifyInstance,
  service: Dependencies,
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
    const signIn = () =>
      inTransaction(database, async (tx) => {
        const account = await accountOfIdentity(tx, service, identity, { ...context, now })
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

import type { FastifyInstance } from 'fastify'
import { buildAuthorizationUrl, type Configuration, calculatePKCECodeChallenge } from 'openid-client'
import { createAnonymousCookie } from '../access/credentials/anonymous-cookie.ts'
import { networkOf } from '../access/network.ts'
import type { WithDatabase } from '../access/service.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { addressOf } from '../platform/http/http.ts'
import { callbackPath, providerCookieName, signInPath } from './paths.ts'
import { ProviderError } from './provider-error.ts'
import { insertSignIn } from './sign-in-store.ts'

/** Longer than any path of ours. */
const maxReturnToLength = 2_000

/**
 * Redirect to the provider, and store state, nonce and PKCE verifier for this browser (OpenID Connect Core 1.0,
 * 3.1.2.1).
 */
export function serveBeginProviderSignIn(
  pages: FastifyInstance,
  service: WithDatabase<AccountsService>,
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

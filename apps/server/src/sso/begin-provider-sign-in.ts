import type { FastifyInstance } from 'fastify'
import { buildAuthorizationUrl, type Configuration, calculatePKCECodeChallenge } from 'openid-client'
import { createAnonymousCookie } from '../access/credentials/anonymous-cookie.ts'
import { networkOf } from '../access/network.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { addressOf } from '../platform/http/http.ts'
import { callbackPath, providerCookieName, signInPath } from './paths.ts'
import { ProviderError } from './provider-error.ts'
import { returnToOf } from './return-to.ts'
import { keepSignIn } from './sign-in-store.ts'

/** Leads to the provider, and keeps what its answer will be held against, for this browser alone. */
export function serveBeginProviderSignIn(
  pages: FastifyInstance,
  service: AccountsService,
  openProvider: () => Promise<Configuration>,
) {
  const { database, clock, random, encryption, config, attemptLimits } = service
  const browserCookie = createAnonymousCookie({ name: providerCookieName, baseUrl: config.baseUrl, random })
  const secret = () => random.bytes(32).toString('base64url')
  pages.get(signInPath, async (request, reply) => {
    await attemptLimits.count('challengesOfNetwork', networkOf(addressOf(request)))
    const configuration = await openProvider().catch((error) => {
      throw new ProviderError('provider_away', error)
    })
    const known = browserCookie.read(request.headers.cookie)
    const made = known === undefined ? browserCookie.make() : undefined
    if (made !== undefined) reply.header('set-cookie', made.setCookie)
    const { returnTo } = Object(request.query) as { returnTo?: unknown }
    const begun = { state: secret(), nonce: secret(), codeVerifier: secret() }
    await keepSignIn(database, encryption, {
      ...begun,
      browserId: known ?? made?.id ?? '',
      returnTo: returnToOf(typeof returnTo === 'string' ? returnTo : undefined, config.baseUrl),
      now: clock.now(),
    })
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: `${config.baseUrl}${callbackPath}`,
      scope: 'openid profile email',
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await calculatePKCECodeChallenge(begun.codeVerifier),
      code_challenge_method: 'S256',
    })
    return reply.redirect(address.href, 303)
  })
}

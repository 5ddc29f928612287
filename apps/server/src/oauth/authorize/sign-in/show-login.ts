import type { FastifyInstance } from 'fastify'
import type { WithDatabase } from '../../../access/service.ts'
import type { Dependencies as AccountsService } from '../../../accounts/dependencies.ts'
import { soleText } from '../../../platform/http/form.ts'
import { sendPage } from '../../../server-pages/page.ts'
import { nameApp } from '../app-facts.ts'
import { createBrowserCookie } from '../browser-cookie.ts'
import { csrfToken } from '../csrf.ts'
import { openRequest } from '../open-request.ts'
import { pageLanguage } from '../page-language.ts'
import { queryOf } from '../page-request.ts'
import { findSignedInUser } from '../signed-in-user.ts'
import { loginPage } from './login-page.ts'

/**
 * Show the sign-in form of a stored request, bound to this browser; also to a signed-in user who wants another account.
 */
export function serveShowLogin(pages: FastifyInstance, service: WithDatabase<AccountsService>) {
  const { database, clock, random, encryption, config } = service
  const browserCookie = createBrowserCookie(config.baseUrl, random)
  pages.get('/oauth2/login', async (request, reply) => {
    const {
      requestId,
      request: kept,
      client,
    } = await openRequest(database, config, soleText(queryOf(request), 'request') ?? '', clock.now())
    const known = browserCookie.read(request.headers.cookie)
    const created = known === undefined ? browserCookie.make() : undefined
    if (created !== undefined) reply.header('set-cookie', created.setCookie)
    const boundTo = known ?? created?.id ?? ''
    const csrf = csrfToken(encryption, { form: 'login', requestId, boundTo })
    const language = pageLanguage(request, await findSignedInUser(service, request))
    return sendPage(
      reply,
      loginPage({
        language,
        requestId,
        csrf,
        email: kept.loginHint ?? '',
        app: nameApp(client, kept.redirectUri, { language, isTester: false }),
        isUnreviewed: !client.isReviewed,
        providerName: config.provider?.name,
        signUpOpen: config.signUp !== 'closed',
      }),
    )
  })
}

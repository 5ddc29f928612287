import type { FastifyInstance } from 'fastify'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { sendPage } from '../pages/page.ts'
import { soleText } from '../platform/form.ts'
import { createBrowserCookie } from './browser-cookie.ts'
import { csrfToken } from './csrf.ts'
import { loginPage } from './login-page.ts'
import { openRequest } from './open-request.ts'
import { queryOf } from './page-request.ts'

/** Shows the sign-in form of a kept request, bound to this browser; also to somebody who is signed in as somebody else. */
export function serveAskLogin(pages: FastifyInstance, { database, clock, random, sealedBox, config }: AccountsService) {
  const browserCookie = createBrowserCookie(config.baseUrl, random)
  pages.get('/oauth2/login', async (request, reply) => {
    const { requestId, ...opened } = await openRequest(
      database,
      soleText(queryOf(request), 'request') ?? '',
      clock.now(),
    )
    const known = browserCookie.read(request.headers.cookie)
    const made = known === undefined ? browserCookie.make() : undefined
    if (made !== undefined) reply.header('set-cookie', made.setCookie)
    const boundTo = known ?? made?.id ?? ''
    const csrf = csrfToken(sealedBox, { form: 'login', requestId, boundTo })
    const email = opened.request.loginHint ?? ''
    const appName = opened.client.revision.name
    return sendPage(reply, loginPage({ requestId, csrf, email, appName, providerName: config.provider?.name }))
  })
}

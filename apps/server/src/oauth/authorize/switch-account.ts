import type { Language } from '@parley/texts/languages'
import type { FastifyInstance } from 'fastify'
import { soleText } from '../../platform/http/form.ts'
import { fillHtml, html } from '../../platform/http/html.ts'
import { textsIn, unfilled } from '../../platform/texts.ts'
import { type Page, sendPage } from '../../server-pages/page.ts'
import type { Dependencies } from '../dependencies.ts'
import { type AppInSentences, nameApp } from './app-identity.ts'
import { confirmAccount } from './authorization-request-store.ts'
import { AuthorizeError } from './authorize-error.ts'
import { openRequest } from './open-request.ts'
import { csrfToken, formOf, queryOf, requireOwnForm } from './page-request.ts'
import { findSignedInUser, pageLanguage, type SignedInUser, signedInAs } from './signed-in-user.ts'

/** Register the choice of an account: continue with the current one, or sign in with another. */
export function registerAccountSwitch(pages: FastifyInstance, dependencies: Dependencies): void {
  const { database, clock, encryption, config } = dependencies

  pages.get('/oauth2/account', async (request, reply) => {
    const now = clock.now()
    const {
      requestId,
      request: stored,
      client,
    } = await openRequest(database, config, soleText(queryOf(request), 'request') ?? '', now)
    const user = await findSignedInUser(dependencies, request)
    if (user === undefined) return reply.redirect(`/oauth2/login?request=${requestId}`, 303)
    const csrf = csrfToken(encryption, { form: 'account', requestId, boundTo: user.sessionId })
    const language = pageLanguage(request, user)
    return sendPage(
      reply,
      accountPage({
        language,
        requestId,
        csrf,
        user,
        app: nameApp(client, stored.redirectUri, { language, isTester: false }),
      }),
    )
  })

  pages.post('/oauth2/account', async (request, reply) => {
    const form = formOf(request)
    const requestId = soleText(form, 'request') ?? ''
    const user = await findSignedInUser(dependencies, request)
    if (user === undefined) throw new AuthorizeError('form_refused')
    const binding = { form: 'account', requestId, boundTo: user.sessionId } as const
    requireOwnForm(dependencies, request, form, binding)
    const { request: stored } = await openRequest(database, config, requestId, clock.now())
    // Choosing an account does not satisfy prompt=login.
    if (!stored.prompts.includes('login')) await confirmAccount(database, requestId, user.account.id)
    return reply.redirect(`/oauth2/consent?request=${requestId}`, 303)
  })
}

type AccountForm = { language: Language; requestId: string; csrf: string; user: SignedInUser; app: AppInSentences }

function accountPage({ language, requestId, csrf, user, app }: AccountForm): Page {
  const t = textsIn(language, 'oauth-pages')
  const title = t('account.title')
  return {
    status: 200,
    title,
    language,
    forms: true,
    main: html`<h1>${title}</h1>
<p>${fillHtml(t('toContinueTo', unfilled), { app: html`<strong>${app.within}</strong>` })}</p>
<p class="account">${signedInAs(t, user)}</p>
<form class="stacked" method="post" action="/oauth2/account">
<input type="hidden" name="request" value="${requestId}">
<input type="hidden" name="csrf" value="${csrf}">
<button class="primary">${fillHtml(t('account.continueAs', unfilled), { name: html`<bdi>${user.account.name}</bdi>` })}</button>
<a class="button" href="/oauth2/login?request=${requestId}">${t('account.useAnother')}</a>
</form>`,
  }
}

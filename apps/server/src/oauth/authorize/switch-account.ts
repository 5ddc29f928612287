import type { Language } from '@parley/texts/languages'
import type { FastifyInstance } from 'fastify'
import type { WithDatabase } from '../../access/service.ts'
import type { Dependencies as AccountsService } from '../../accounts/dependencies.ts'
import { soleText } from '../../platform/http/form.ts'
import { html } from '../../platform/http/html.ts'
import { type Page, sendPage } from '../../server-pages/page.ts'
import { type AppInSentences, nameApp } from './app-facts.ts'
import { confirmAccount } from './authorization-request-store.ts'
import { AuthorizeError } from './authorize-error-page.ts'
import { csrfToken, requireOwnForm } from './csrf.ts'
import { openRequest } from './open-request.ts'
import { pageLanguage } from './page-language.ts'
import { formOf, queryOf } from './page-request.ts'
import { pageTexts } from './page-texts/in-language.ts'
import { signedInAs } from './signed-in-as.ts'
import { findSignedInUser, type SignedInUser } from './signed-in-user.ts'

/** Let the user continue with the current account, or sign in with another. */
export function serveSwitchAccount(pages: FastifyInstance, service: WithDatabase<AccountsService>) {
  const { database, clock, encryption, config } = service

  pages.get('/oauth2/account', async (request, reply) => {
    const now = clock.now()
    const {
      requestId,
      request: kept,
      client,
    } = await openRequest(database, config, soleText(queryOf(request), 'request') ?? '', now)
    const user = await findSignedInUser(service, request)
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
        app: nameApp(client, kept.redirectUri, { language, isTester: false }),
      }),
    )
  })

  pages.post('/oauth2/account', async (request, reply) => {
    const form = formOf(request)
    const requestId = soleText(form, 'request') ?? ''
    const user = await findSignedInUser(service, request)
    if (user === undefined) throw new AuthorizeError('form_refused')
    const binding = { form: 'account', requestId, boundTo: user.sessionId } as const
    requireOwnForm({ encryption, baseUrl: config.baseUrl }, request, form, binding)
    const { request: kept } = await openRequest(database, config, requestId, clock.now())
    // Choosing an account does not satisfy prompt=login.
    const { prompts } = kept
    if (!prompts.includes('login')) await confirmAccount(database, requestId, user.account.id)
    return reply.redirect(`/oauth2/consent?request=${requestId}`, 303)
  })
}

type AccountForm = { language: Language; requestId: string; csrf: string; user: SignedInUser; app: AppInSentences }

function accountPage({ language, requestId, csrf, user, app }: AccountForm): Page {
  const texts = pageTexts(language)
  const { title, continueAs, useAnother } = texts.account
  return {
    status: 200,
    title,
    language,
    forms: true,
    main: html`<h1>${title}</h1>
<p>${texts.toContinueTo(html`<strong>${app.within}</strong>`)}</p>
<p class="account">${signedInAs(texts, user)}</p>
<form class="stacked" method="post" action="/oauth2/account">
<input type="hidden" name="request" value="${requestId}">
<input type="hidden" name="csrf" value="${csrf}">
<button class="primary">${continueAs(html`<bdi>${user.account.name}</bdi>`)}</button>
<a class="button" href="/oauth2/login?request=${requestId}">${useAnother}</a>
</form>`,
  }
}

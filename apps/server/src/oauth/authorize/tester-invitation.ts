import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import type { FastifyInstance } from 'fastify'
import { findInvitationRow, toTesterInvitation } from '../../oauth-apps/tester-store.ts'
import { recordTesterAnswer } from '../../oauth-apps/testers.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { soleText } from '../../platform/http/form.ts'
import { fillHtml, html } from '../../platform/http/html.ts'
import { textsIn, unfilled } from '../../platform/texts.ts'
import { type Page, sendPage } from '../../server-pages/page.ts'
import type { Dependencies } from '../dependencies.ts'
import { AuthorizeError } from './authorize-error.ts'
import { isOnlyInvited, openRequest } from './open-request.ts'
import { csrfToken, formOf, queryOf, requestContextOf, requireOwnForm } from './page-request.ts'
import { findSignedInUser, pageLanguage, type SignedInUser, signedInAs } from './signed-in-user.ts'

/** Register the invitation to test an app. Until the invited user accepts, nothing redirects to the app. */
export function registerTesterInvitation(pages: FastifyInstance, dependencies: Dependencies): void {
  const { database, clock, random, encryption, config } = dependencies

  pages.get('/oauth2/tester', async (request, reply) => {
    const opened = await openRequest(database, config, soleText(queryOf(request), 'request') ?? '', clock.now())
    const { requestId, client } = opened
    const user = await findSignedInUser(dependencies, request)
    // The consent page handles users without an open invitation.
    const hasInvitation = user !== undefined && (await isOnlyInvited(database, opened, user))
    const row = hasInvitation ? await findInvitationRow(database, client.appId, user.caller) : undefined
    if (user === undefined || row === undefined) return reply.redirect(`/oauth2/consent?request=${requestId}`, 303)
    const csrf = csrfToken(encryption, { form: 'tester', requestId, boundTo: user.sessionId })
    return sendPage(
      reply,
      invitationPage({
        language: pageLanguage(request, user),
        requestId,
        csrf,
        user,
        invitation: toTesterInvitation(row),
        isApproved: client.isReviewed,
      }),
    )
  })

  pages.post('/oauth2/tester', async (request, reply) => {
    const form = formOf(request)
    const requestId = soleText(form, 'request') ?? ''
    const user = await findSignedInUser(dependencies, request)
    if (user === undefined) throw new AuthorizeError('form_refused')
    const binding = { form: 'tester', requestId, boundTo: user.sessionId } as const
    requireOwnForm(dependencies, request, form, binding)
    const now = clock.now()
    const { client } = await openRequest(database, config, requestId, now)
    const answer = soleText(form, 'answer')
    if (answer !== 'accepted' && answer !== 'declined') throw new AuthorizeError('form_incomplete', { client })
    const { appId } = client
    const { name } = await inTransaction(database, (tx) =>
      recordTesterAnswer(tx, {
        appId,
        caller: user.caller,
        answer,
        request: requestContextOf(request),
        now,
        random,
      }),
    )
    if (answer === 'accepted') return reply.redirect(`/oauth2/consent?request=${requestId}`, 303)
    return sendPage(reply, declinedPage(name, pageLanguage(request, user)))
  })
}

type InvitationForm = {
  language: Language
  requestId: string
  csrf: string
  user: SignedInUser
  invitation: ReturnType<typeof toTesterInvitation>
  isApproved: boolean
}

function invitationPage(form: InvitationForm): Page {
  const { language, requestId, csrf, user, invitation, isApproved } = form
  const { app, owner } = invitation
  const t = textsIn(language, 'oauth-pages')
  return {
    status: 200,
    title: t('tester.title', { app: isolated(language, app.name) }),
    language,
    forms: true,
    main: html`<h1>${fillHtml(t('tester.heading', unfilled), { app: html`<bdi>${app.name}</bdi>` })}</h1>
<p>${fillHtml(t('tester.asks', unfilled), { owner: html`<strong><bdi>${owner.name}</bdi></strong>`, email: html`<bdi>${owner.email}</bdi>` })}${isApproved ? undefined : html` ${t('tester.notApproved')}`}</p>
<div class="account">
<p>${signedInAs(t, user)}</p>
<a href="/oauth2/account?request=${requestId}">${t('notYou')}</a>
</div>
<form method="post" action="/oauth2/tester">
<input type="hidden" name="request" value="${requestId}">
<input type="hidden" name="csrf" value="${csrf}">
<fieldset class="choices">
<legend class="hidden">${t('consent.answer')}</legend>
<button name="answer" value="declined">${t('tester.decline')}</button>
<button name="answer" value="accepted">${t('tester.accept')}</button>
</fieldset>
</form>
<p class="muted small">${t('tester.changeable')}</p>`,
  }
}

function declinedPage(appName: string, language: Language): Page {
  const t = textsIn(language, 'oauth-pages')
  const title = t('tester.declinedTitle')
  return {
    status: 200,
    title,
    language,
    main: html`<h1>${title}</h1>
<p>${fillHtml(t('tester.declined', unfilled), { app: html`<bdi>${appName}</bdi>` })}</p>
<p class="muted small">${t('tester.changeableLater')}</p>`,
  }
}

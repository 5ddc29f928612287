import type { FastifyInstance } from 'fastify'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { recordTesterAnswer } from '../apps/testers/answer-tester-invitation.ts'
import { findInvitationRow, viewInvitation } from '../apps/testers/tester-invitation-store.ts'
import { type Page, sendPage } from '../pages/page.ts'
import { inTransaction } from '../platform/database.ts'
import { soleText } from '../platform/form.ts'
import { html } from '../platform/html.ts'
import { csrfToken, requireOwnForm } from './csrf.ts'
import { isOnlyInvited, openRequest } from './open-request.ts'
import { PageFault } from './page-fault.ts'
import { formOf, queryOf, visitOf } from './page-request.ts'
import { findVisitor, type Visitor } from './visitor.ts'

/** Asks an invited person, on the way to an app, whether they want to test it. Until they do, nothing leads to the app. */
export function serveTesterInvitation(pages: FastifyInstance, service: AccountsService) {
  const { database, clock, random, sealedBox, config } = service

  pages.get('/oauth2/tester', async (request, reply) => {
    const opened = await openRequest(database, soleText(queryOf(request), 'request') ?? '', clock.now())
    const { requestId, client } = opened
    const visitor = await findVisitor(service, request)
    // Whoever is not, or no longer, to be asked is told so, or goes on, there.
    const isAsked = visitor !== undefined && (await isOnlyInvited(database, opened, visitor))
    const row = isAsked ? await findInvitationRow(database, client.appId, visitor.caller) : undefined
    if (visitor === undefined || row === undefined) return reply.redirect(`/oauth2/consent?request=${requestId}`, 303)
    const csrf = csrfToken(sealedBox, { form: 'tester', requestId, boundTo: visitor.sessionId })
    return sendPage(reply, invitationPage({ requestId, csrf, visitor, invitation: viewInvitation(row) }))
  })

  pages.post('/oauth2/tester', async (request, reply) => {
    const form = formOf(request)
    const requestId = soleText(form, 'request') ?? ''
    const visitor = await findVisitor(service, request)
    if (visitor === undefined) throw new PageFault('form_refused')
    const place = { form: 'tester', requestId, boundTo: visitor.sessionId } as const
    requireOwnForm({ sealedBox, baseUrl: config.baseUrl }, request, form, place)
    const now = clock.now()
    const { client } = await openRequest(database, requestId, now)
    const answer = soleText(form, 'answer')
    if (answer !== 'accepted' && answer !== 'declined') throw new PageFault('form_incomplete', { client })
    const { appId } = client
    const { name } = await inTransaction(database, (tx) =>
      recordTesterAnswer(tx, { appId, caller: visitor.caller, answer, request: visitOf(request), now, random }),
    )
    if (answer === 'accepted') return reply.redirect(`/oauth2/consent?request=${requestId}`, 303)
    return sendPage(reply, declinedPage(name))
  })
}

type InvitationForm = {
  requestId: string
  csrf: string
  visitor: Visitor
  invitation: ReturnType<typeof viewInvitation>
}

function invitationPage({ requestId, csrf, visitor: { account }, invitation: { app, owner } }: InvitationForm): Page {
  return {
    status: 200,
    title: `Test ${app.name}?`,
    forms: true,
    main: html`<h1>Test <bdi>${app.name}</bdi>?</h1>
<p><strong><bdi>${owner.name}</bdi></strong> (<bdi>${owner.email}</bdi>) asks you to test this app. It has not been reviewed.
Accept only if you know who asks. Accepting gives the app nothing: you are asked about that next.</p>
<div class="account">
<p>You are signed in as <strong><bdi>${`${account.name} ${account.lname}`.trim()}</bdi></strong> (<bdi>${account.email}</bdi>).</p>
<a href="/oauth2/account?request=${requestId}">Not you? Switch account</a>
</div>
<form method="post" action="/oauth2/tester">
<input type="hidden" name="request" value="${requestId}">
<input type="hidden" name="csrf" value="${csrf}">
<fieldset class="choices">
<legend class="hidden">Your answer</legend>
<button name="answer" value="declined">Decline</button>
<button name="answer" value="accepted">Accept</button>
</fieldset>
</form>
<p class="muted small">You can change your answer any time under connected apps.</p>`,
  }
}

const declinedPage = (appName: string): Page => ({
  status: 200,
  title: 'You have declined',
  main: html`<h1>You have declined</h1>
<p>You do not test <bdi>${appName}</bdi>. It was given nothing, and it is not told where you are. You can close this page.</p>
<p class="muted small">You can change your answer under connected apps.</p>`,
})

import { planConsent } from '@parley/rules/oauth/consent'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../access/audit.ts'
import { lockSession } from '../../access/credentials/session-store.ts'
import { holdAccount } from '../../accounts/account/account-store.ts'
import type { AccountsService } from '../../accounts/accounts-service.ts'
import { recordAppEvent } from '../../oauth-apps/events/app-event-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { soleText } from '../../platform/http/form.ts'
import type { Tx } from '../../tables/tables.ts'
import { giveGrant } from '../grants/grant-store.ts'
import { AuthorizeError } from './authorize-error-page.ts'
import { issueCode } from './code-store.ts'
import { requireOwnForm } from './csrf.ts'
import { recordBeside } from './log-app-event.ts'
import { type OpenRequest, openRequest, requireTester, wayBackOf } from './open-request.ts'
import { formOf, visitOf } from './page-request.ts'
import { redirectBack } from './redirect-back.ts'
import { findVisitor, isConfirmed, type Visitor } from './visitor.ts'

/**
 * Takes a person's answer to an app. Allowed: the grant, widened by what was asked, a code for what was asked, the app's
 * event and the audit line, all or none. A form that is sent twice gives a second code, as asking the app again would.
 */
export function serveAnswerConsent(pages: FastifyInstance, service: AccountsService) {
  const { database, clock, random, encryption, config } = service
  pages.post('/oauth2/consent', async (request, reply) => {
    const now = clock.now()
    const form = formOf(request)
    const requestId = soleText(form, 'request') ?? ''
    const visitor = await findVisitor(service, request)
    if (visitor === undefined) throw new AuthorizeError('form_refused')
    const place = { form: 'consent', requestId, boundTo: visitor.sessionId } as const
    requireOwnForm({ encryption, baseUrl: config.baseUrl }, request, form, place)

    const opened = await openRequest(database, requestId, now)
    const { request: kept, client } = opened
    const { appId, sandbox, revision } = client
    await requireTester(database, opened, visitor)
    const back = wayBackOf(kept, client, config)
    const event = { appId, sandbox, requestId: request.id, now, random }
    const decision = soleText(form, 'decision')
    if (decision === 'deny') {
      const cause = 'The user chose Deny.'
      await recordBeside(request.log, database, { ...event, kind: 'consent_denied', cause })
      return redirectBack(reply, back, { error: 'access_denied', description: 'the user denied the request' })
    }
    if (decision !== 'allow') throw new AuthorizeError('form_incomplete', { client })
    // Somebody else may have answered the pages before this one.
    const confirmed = isConfirmed(kept, visitor)
    const step = planConsent({
      ...{ prompts: kept.prompts, signedIn: true, confirmed, requested: kept.scopes, grant: undefined },
    })
    if (step.kind !== 'ask') return reply.redirect(`/oauth2/consent?request=${requestId}`, 303)

    const { scopes, redirectUri, codeChallenge } = kept
    const code = await inTransaction(database, async (tx) => {
      await holdVisitor(tx, visitor)
      await holdApp(tx, opened, visitor, now)
      const grant = await giveGrant(tx, { accountId: visitor.account.id, appId, sandbox, scopes, now, random })
      const cause = `A user allowed ${scopes.join(', ')}.`
      await recordAppEvent(tx, { ...event, kind: 'consent_given', cause })
      await audit(tx, random, now, {
        ...{ tenantId: visitor.account.tenantId, actorId: visitor.account.id, subjectId: visitor.account.id },
        action: 'app.consented',
        detail: { appId, name: revision.name, sandbox, scopes },
        address: visitOf(request).address,
      })
      return issueCode(tx, { grantId: grant.id, redirectUri, scopes, codeChallenge, now, random })
    })
    return redirectBack(reply, back, { code })
  })
}

/** Until commit nobody is signed out or disabled, so that nothing is given in the name of somebody who just was. */
async function holdVisitor(tx: Tx, { sessionId, account }: Visitor) {
  // In this order, as whoever ends the access of others does.
  const held = await holdAccount(tx, account.id)
  if (held === undefined || held.disabledAt !== null || !(await lockSession(tx, sessionId))) {
    throw new AuthorizeError('form_refused')
  }
}

/**
 * Whoever takes a scope, a callback or a tester away locks the app, and then ends what was given of it: nothing may slip in
 * between. What has gone since the form was opened is not given any more.
 */
async function holdApp(tx: Tx, { requestId, client }: OpenRequest, visitor: Visitor, now: Date) {
  await tx.selectFrom('app').select('id').where('id', '=', client.appId).forShare().execute()
  await requireTester(tx, await openRequest(tx, requestId, now), visitor)
}

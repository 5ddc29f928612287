import { planConsent } from '@parley/rules/oauth/consent'
import { grantLifetimeMs } from '@parley/rules/oauth/lifetimes'
import { identifiesApp } from '@parley/rules/oauth/redirect-uri'
import { resourceIdentifier, resourceOf } from '@parley/rules/oauth/resource'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../access/audit.ts'
import { lockSession } from '../../access/credentials/session-store.ts'
import { shownNameText } from '../../access/shown-app.ts'
import { lockAccountForShare } from '../../accounts/account/account-store.ts'
import { recordAppEvent } from '../../oauth-apps/events/app-event-store.ts'
import type { Config } from '../../platform/config/config.ts'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { soleText, textOf } from '../../platform/http/form.ts'
import { extendGrant, findLiveGrant } from '../grants/grant-store.ts'
import { AuthorizeError } from './authorize-error-page.ts'
import type { AuthorizeService } from './authorize-service.ts'
import { issueCode } from './code-store.ts'
import { requireOwnForm } from './csrf.ts'
import { type OpenRequest, openRequest, redirectTargetOf, requireTester } from './open-request.ts'
import { formOf, requestContextOf } from './page-request.ts'
import { redirectBack } from './redirect-back.ts'
import { optionalScopes, sendConsentPage } from './send-consent-page.ts'
import { findSignedInUser, isConfirmed, type SignedInUser } from './signed-in-user.ts'

/**
 * Handle the consent form. On Allow, one transaction extends the grant by the requested scopes without those that were
 * left out, issues a code, and records the app's event and the audit entry. A form that is sent twice issues a second code, as a second
 * authorization request would.
 */
export function serveSubmitConsent(pages: FastifyInstance, service: AuthorizeService) {
  const { database, refusalLog, clock, random, encryption, config } = service
  pages.post('/oauth2/consent', async (request, reply) => {
    const now = clock.now()
    const form = formOf(request)
    const requestId = soleText(form, 'request') ?? ''
    const user = await findSignedInUser(service, request)
    if (user === undefined) throw new AuthorizeError('form_refused')
    const binding = { form: 'consent', requestId, boundTo: user.sessionId } as const
    requireOwnForm({ encryption, baseUrl: config.baseUrl }, request, form, binding)

    const opened = await openRequest(database, config, requestId, now)
    const { request: kept, client } = opened
    const { appId, sandbox, unreviewed } = client
    await requireTester(database, opened, user)
    const target = redirectTargetOf(kept, client, config)
    const event = { appId, sandbox, requestId: request.id, now }
    const decision = soleText(form, 'decision')
    if (decision === 'deny') {
      // Any account can choose it any number of times.
      refusalLog.record({ ...event, kind: 'consent_denied', cause: 'The user chose Deny.' })
      return redirectBack(reply, target, { error: 'access_denied', description: 'the user denied the request' })
    }
    if (decision !== 'allow') throw new AuthorizeError('form_incomplete', { client })
    // Another account may have confirmed this request since the page was shown.
    const confirmed = isConfirmed(kept, user)
    const step = planConsent({
      prompts: kept.prompts,
      signedIn: true,
      confirmed,
      requested: kept.scopes,
      grant: undefined,
      identified: identifiesApp(kept.redirectUri, client.clientType),
    })
    if (step.kind !== 'ask') return reply.redirect(`/oauth2/consent?request=${requestId}`, 303)

    const { redirectUri, codeChallenge, resource } = kept
    const grant = await findLiveGrant(database, user.account.id, appId, sandbox, resourceOf(resource), now)
    const added = kept.scopes.filter((scope) => !grant?.scopes.includes(scope))
    const selected = (form.get('scope') ?? []).map((scope) => textOf(scope))
    const leftOut = optionalScopes(opened, added).filter((scope) => !selected.includes(scope))
    const scopes = kept.scopes.filter((scope) => !leftOut.includes(scope))
    if (scopes.length === 0) {
      const { otherResources = [] } = grant ?? {}
      const shown = { opened, user, known: [], added, otherResources, nothingSelected: true }
      return sendConsentPage(service, { request, reply }, shown)
    }
    const code = await inTransaction(database, async (tx) => {
      await lockUser(tx, user)
      await lockApp(tx, config, opened, user, now)
      const { id: grantId } = await extendGrant(tx, {
        accountId: user.account.id,
        appId,
        sandbox,
        resource: resourceOf(resource),
        scopes,
        lifetimeMs: grantLifetimeMs(sandbox || unreviewed),
        now,
        random,
      })
      const without = leftOut.length === 0 ? '' : `, and left out ${leftOut.join(', ')}`
      const server =
        resourceOf(resource) === 'api' ? '' : ` for ${resourceIdentifier(resourceOf(resource), config.baseUrl)}`
      const cause = `A user allowed ${scopes.join(', ')}${server}${without}.`
      await recordAppEvent(tx, { ...event, kind: 'consent_given', cause, random })
      await audit(tx, random, now, {
        tenantId: user.account.tenantId,
        actorId: user.account.id,
        subjectId: user.account.id,
        action: 'app.consented',
        detail: { appId, name: shownNameText(client, [redirectUri]), sandbox, resource: resourceOf(resource), scopes },
        address: requestContextOf(request).address,
      })
      return issueCode(tx, { grantId, redirectUri, scopes, codeChallenge, resource, now, random })
    })
    return redirectBack(reply, target, { code })
  })
}

/**
 * Lock the visitor's account and session until commit, so that nothing is granted for a session that ends meanwhile.
 */
async function lockUser(tx: Tx, { sessionId, account }: SignedInUser) {
  // The same lock order as in end-access.ts.
  const lockedAccount = await lockAccountForShare(tx, account.id)
  if (lockedAccount === undefined || lockedAccount.disabledAt !== null || !(await lockSession(tx, sessionId))) {
    throw new AuthorizeError('form_refused')
  }
}

/**
 * Lock the app and validate the request again: a change that removes a scope, a callback URL or a tester locks the app
 * before it ends what was granted, so nothing may be granted in between.
 */
async function lockApp(
  tx: Tx,
  config: Pick<Config, 'baseUrl'>,
  { requestId, client }: OpenRequest,
  user: SignedInUser,
  now: Date,
) {
  await tx.selectFrom('app').select('id').where('id', '=', client.appId).forShare().execute()
  await requireTester(tx, await openRequest(tx, config, requestId, now), user)
}

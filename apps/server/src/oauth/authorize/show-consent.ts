import { planConsent } from '@parley/rules/oauth/consent'
import { identifiesApp } from '@parley/rules/oauth/redirect-uri'
import { resourceOf } from '@parley/rules/oauth/resource'
import type { FastifyInstance } from 'fastify'
import { inTransaction } from '../../platform/database/database.ts'
import { soleText } from '../../platform/http/form.ts'
import { findLiveGrant } from '../grants/grant-store.ts'
import { AuthorizeError } from './authorize-error-page.ts'
import type { AuthorizeService } from './authorize-service.ts'
import { issueCode } from './code-store.ts'
import {
  isOnlyInvited,
  mayReportErrorTo,
  openRequest,
  redirectTargetOf,
  requireTester,
  unreportedErrorOf,
} from './open-request.ts'
import { queryOf, requestContextOf } from './page-request.ts'
import { redirectBack } from './redirect-back.ts'
import { sendConsentPage } from './send-consent-page.ts'
import { findSignedInUser, isConfirmed } from './signed-in-user.ts'

/**
 * Show or redirect to the next step of a stored request: sign-in, account choice, the consent page, or, when all scopes
 * were consented to before for the same resource, the app.
 */
export function serveShowConsent(pages: FastifyInstance, service: AuthorizeService) {
  const { database, agentClients, refusalLog, clock, random, config } = service
  pages.get('/oauth2/consent', async (request, reply) => {
    const now = clock.now()
    const user = await findSignedInUser(service, request)
    const first = await openRequest(database, config, soleText(queryOf(request), 'request') ?? '', now)
    // The person who uses a client first submits it for review, unless AGENT_CLIENTS approves it.
    const cause = { caller: user?.caller, request: requestContextOf(request), now }
    const isDecided = user !== undefined && (await agentClients.reconcile(first.client, cause))
    const opened = isDecided ? await openRequest(database, config, first.requestId, now) : first
    const { requestId, request: kept, client } = opened
    if (user !== undefined) {
      if (await isOnlyInvited(database, opened, user)) {
        return reply.redirect(`/oauth2/tester?request=${requestId}`, 303)
      }
      await requireTester(database, opened, user)
    }
    const grant =
      user &&
      (await findLiveGrant(database, user.account.id, client.appId, client.sandbox, resourceOf(kept.resource), now))

    const step = planConsent({
      prompts: kept.prompts,
      signedIn: user !== undefined,
      confirmed: user !== undefined && isConfirmed(kept, user),
      requested: kept.scopes,
      grant,
      identified: identifiesApp(kept.redirectUri, client.clientType),
    })
    const target = redirectTargetOf(kept, client, config)
    if (step.kind === 'refuse') {
      const description = step.error === 'login_required' ? 'nobody is signed in' : 'the user has not consented to this'
      if (!(await mayReportErrorTo(database, client, user?.caller, now))) {
        const code = unreportedErrorOf(client)
        if (code === 'sandbox_request_wrong') {
          const nextAction = { address: `/oauth2/login?request=${requestId}`, text: 'signIn' as const }
          throw new AuthorizeError('sandbox_sign_in', { client, wayOn: nextAction })
        }
        const detail = code === 'client_request_wrong' ? `${step.error}: ${description}` : undefined
        throw new AuthorizeError(code, { client }, detail)
      }
      refusalLog.record({
        appId: client.appId,
        sandbox: client.sandbox,
        kind: 'authorization_refused',
        cause: `${step.error}: ${description}`,
        requestId: request.id,
        now,
      })
      return redirectBack(reply, target, { error: step.error, description })
    }
    if (step.kind === 'sign-in' || user === undefined) {
      return reply.redirect(`/oauth2/login?request=${requestId}`, 303)
    }
    if (step.kind === 'choose-account') return reply.redirect(`/oauth2/account?request=${requestId}`, 303)
    if (step.kind === 'silent') {
      const { redirectUri, scopes, codeChallenge, resource } = kept
      const issued = { grantId: step.grantId, redirectUri, scopes, codeChallenge, resource, now, random }
      return redirectBack(reply, target, { code: await inTransaction(database, (tx) => issueCode(tx, issued)) })
    }
    const { known, added } = step
    const { otherResources = [] } = grant ?? {}
    return sendConsentPage(service, { request, reply }, { opened, user, known, added, otherResources })
  })
}

import { isReadOnly, type Scope } from '@parley/contract'
import { decideConsent, optionalScopes, planConsent } from '@parley/rules/oauth/consent'
import { identifiesApp } from '@parley/rules/oauth/redirect-uri'
import { type Resource, resourceOf } from '@parley/rules/oauth/resource'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { audit } from '../../access/audit.ts'
import { lockSession } from '../../access/credentials/session-store.ts'
import { shownNameText } from '../../access/shown-app.ts'
import { lockAccountForShare } from '../../accounts/account/account-store.ts'
import { recordAppEvent } from '../../oauth-apps/events/app-event-store.ts'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { soleText, textOf } from '../../platform/http/form.ts'
import { sendPage } from '../../server-pages/page.ts'
import type { Dependencies } from '../dependencies.ts'
import { extendGrant, findLiveGrant } from '../grants/grant-store.ts'
import { findAppIdentity } from './app-identity.ts'
import { insertCode } from './authorization-request-store.ts'
import { AuthorizeError } from './authorize-error.ts'
import { consentPage } from './consent-page.ts'
import {
  isOnlyInvited,
  mayReportErrorTo,
  type OpenRequest,
  openRequest,
  redirectBack,
  redirectTargetOf,
  requireTester,
  unreportedErrorOf,
} from './open-request.ts'
import { csrfToken, formOf, queryOf, requestContextOf, requireOwnForm } from './page-request.ts'
import { findSignedInUser, isConfirmed, pageLanguage, type SignedInUser } from './signed-in-user.ts'

/** Register the consent page and its form. */
export function registerConsent(pages: FastifyInstance, dependencies: Dependencies): void {
  serveShowConsent(pages, dependencies)
  serveSubmitConsent(pages, dependencies)
}

/**
 * Show or redirect to the next step of a stored request: sign-in, account choice, the consent page, or, when all scopes
 * were consented to before for the same resource, the app.
 */
function serveShowConsent(pages: FastifyInstance, dependencies: Dependencies) {
  const { database, agentClients, refusalLog, clock, random, config } = dependencies
  pages.get('/oauth2/consent', async (request, reply) => {
    const now = clock.now()
    const user = await findSignedInUser(dependencies, request)
    const first = await openRequest(database, config, soleText(queryOf(request), 'request') ?? '', now)
    // The person who uses a client first submits it for review, unless AGENT_CLIENTS approves it.
    const cause = { caller: user?.caller, request: requestContextOf(request), now }
    const isDecided = user !== undefined && (await agentClients.reconcile(first.client, cause))
    const opened = isDecided ? await openRequest(database, config, first.requestId, now) : first
    const { requestId, request: stored, client } = opened
    if (user !== undefined) {
      if (await isOnlyInvited(database, opened, user)) {
        return reply.redirect(`/oauth2/tester?request=${requestId}`, 303)
      }
      await requireTester(database, opened, user)
    }
    const grant =
      user &&
      (await findLiveGrant(database, user.account.id, client.appId, client.sandbox, resourceOf(stored.resource), now))

    const step = planConsent({
      prompts: stored.prompts,
      signedIn: user !== undefined,
      confirmed: user !== undefined && isConfirmed(stored, user),
      requested: stored.scopes,
      grant,
      identified: identifiesApp(stored.redirectUri, client.clientType),
    })
    const target = redirectTargetOf(stored, client, config)
    if (step.kind === 'refuse') {
      const description =
        step.error === 'login_required' ? 'no user is signed in' : 'the user has not consented to this'
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
      const { redirectUri, scopes, codeChallenge, resource } = stored
      const issued = { grantId: step.grantId, redirectUri, scopes, codeChallenge, resource, now, random }
      return redirectBack(reply, target, { code: await inTransaction(database, (tx) => insertCode(tx, issued)) })
    }
    const { known, added } = step
    const { otherResources = [] } = grant ?? {}
    return sendConsentPage(dependencies, { request, reply }, { opened, user, known, added, otherResources })
  })
}

/**
 * Handle the consent form. A form that is sent twice issues a second code, as a second authorization request would.
 */
function serveSubmitConsent(pages: FastifyInstance, dependencies: Dependencies) {
  const { database, refusalLog, clock, random, config } = dependencies
  pages.post('/oauth2/consent', async (request, reply) => {
    const now = clock.now()
    const form = formOf(request)
    const requestId = soleText(form, 'request') ?? ''
    const user = await findSignedInUser(dependencies, request)
    if (user === undefined) throw new AuthorizeError('form_refused')
    const binding = { form: 'consent', requestId, boundTo: user.sessionId } as const
    requireOwnForm(dependencies, request, form, binding)

    const opened = await openRequest(database, config, requestId, now)
    const { request: stored, client } = opened
    const { appId, sandbox } = client
    await requireTester(database, opened, user)
    const grant = await findLiveGrant(database, user.account.id, appId, sandbox, resourceOf(stored.resource), now)

    const answer = {
      decision: soleText(form, 'decision'),
      selected: (form.get('scope') ?? []).map((scope) => textOf(scope)),
    }
    const consent = {
      prompts: stored.prompts,
      confirmed: isConfirmed(stored, user),
      requested: stored.scopes,
      grant,
      identified: identifiesApp(stored.redirectUri, client.clientType),
      client,
      resource: stored.resource,
      isReadOnly,
    }
    const decision = decideConsent(answer, consent, config.baseUrl)

    const target = redirectTargetOf(stored, client, config)
    const event = { appId, sandbox, requestId: request.id, now }
    switch (decision.kind) {
      case 'incomplete':
        throw new AuthorizeError('form_incomplete', { client })
      case 'outdated':
        return reply.redirect(`/oauth2/consent?request=${requestId}`, 303)
      case 'deny':
        // Any account can choose Deny any number of times.
        refusalLog.record({ ...event, kind: 'consent_denied', cause: decision.cause })
        return redirectBack(reply, target, { error: 'access_denied', description: 'the user denied the request' })
      case 'nothing-selected': {
        const { otherResources = [] } = grant ?? {}
        const shown = { opened, user, known: [], added: decision.added, otherResources, nothingSelected: true }
        return sendConsentPage(dependencies, { request, reply }, shown)
      }
      case 'allow': {
        const { scopes, resource, lifetimeMs, cause } = decision
        const { redirectUri, codeChallenge } = stored
        const code = await inTransaction(database, async (tx) => {
          await lockUser(tx, user)
          await lockApp(tx, dependencies, opened, user, now)
          const extension = { accountId: user.account.id, appId, sandbox, resource, scopes, lifetimeMs, now, random }
          const { id: grantId } = await extendGrant(tx, extension)
          await recordAppEvent(tx, { ...event, kind: 'consent_given', cause, random })
          await audit(tx, random, now, {
            tenantId: user.account.tenantId,
            actorId: user.account.id,
            subjectId: user.account.id,
            action: 'app.consented',
            detail: { appId, name: shownNameText(client, [redirectUri]), sandbox, resource, scopes },
            address: requestContextOf(request).address,
          })
          const issued = { grantId, redirectUri, scopes, codeChallenge, resource: stored.resource, now, random }
          return insertCode(tx, issued)
        })
        return redirectBack(reply, target, { code })
      }
    }
  })
}

/** Lock the user's account and session until commit, so that nothing is granted for a session that ends meanwhile. */
async function lockUser(tx: Tx, { sessionId, account }: SignedInUser) {
  // The same lock order as in end-access.ts.
  const lockedAccount = await lockAccountForShare(tx, account.id)
  if (lockedAccount === undefined || lockedAccount.disabledAt !== null || !(await lockSession(tx, sessionId))) {
    throw new AuthorizeError('form_refused')
  }
}

/**
 * Lock the app and validate the request again: a change that removes a scope, a callback URL or a tester locks the app
 * before the change ends what was granted, so nothing may be granted in between.
 */
async function lockApp(
  tx: Tx,
  { config }: Pick<Dependencies, 'config'>,
  { requestId, client }: OpenRequest,
  user: SignedInUser,
  now: Date,
) {
  await tx.selectFrom('app').select('id').where('id', '=', client.appId).forShare().execute()
  await requireTester(tx, await openRequest(tx, config, requestId, now), user)
}

type ShownConsent = {
  opened: OpenRequest
  user: SignedInUser
  /** Requested scopes that the user consented to before. */
  known: readonly Scope[]
  added: readonly Scope[]
  /** Other resources that the user allowed this app to use before. */
  otherResources: readonly Resource[]
  /** The form was sent with none of its scopes selected. */
  nothingSelected?: boolean
}

async function sendConsentPage(
  { database, encryption }: Dependencies,
  http: { request: FastifyRequest; reply: FastifyReply },
  { opened, user, known, added, otherResources, nothingSelected = false }: ShownConsent,
) {
  const { requestId, request: stored, client } = opened
  const { redirectUri, resource } = stored
  return sendPage(
    http.reply,
    consentPage({
      language: pageLanguage(http.request, user),
      requestId,
      csrf: csrfToken(encryption, { form: 'consent', requestId, boundTo: user.sessionId }),
      user,
      client,
      identity: await findAppIdentity(database, client),
      redirectUri,
      known,
      added,
      resource: resourceOf(resource),
      otherResources,
      optional: optionalScopes(added, { client, resource, isReadOnly }),
      nothingSelected,
    }),
  )
}

import { isScope } from '@parley/contract'
import { readAuthorizationRequest, stateToReturn } from '@parley/rules/oauth/authorization-request'
import { isRegistered } from '@parley/rules/oauth/redirect-uri'
import { isEmailAddress } from '@parley/rules/text/email-address'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../../access/network.ts'
import type { AccountsService } from '../../accounts/accounts-service.ts'
import { type Client, findClient } from '../../oauth-apps/credentials/client-store.ts'
import { type Form, joinForms, soleText, textOf } from '../../platform/http/form.ts'
import { addressOf } from '../../platform/http/http.ts'
import type { Database } from '../../tables/tables.ts'
import { keepRequest } from './authorization-request-store.ts'
import { AuthorizeError } from './authorize-error-page.ts'
import { recordBeside } from './log-app-event.ts'
import { errorOfClient, mayBeSentBack, wayBackOf } from './open-request.ts'
import { formOf, queryOf } from './page-request.ts'
import { redirectBack } from './redirect-back.ts'
import { findVisitor } from './visitor.ts'

/**
 * The authorization endpoint (RFC 6749, 4.1.1; service.md 4.7): checks the request and keeps it; what its user sees of it
 * are the pages of the kept request. A POST of another site comes without cookies (SameSite), the page that it leads to
 * with them.
 */
export function serveAuthorize(pages: FastifyInstance, service: AccountsService) {
  const { database, clock, random, config, attemptLimits } = service
  pages.route({
    method: ['GET', 'POST'],
    url: '/oauth2/authorize',
    handler: async (request, reply) => {
      // Nobody has to be signed in to make us keep a request, or write into an app's log why it was refused.
      await attemptLimits.count('authorizationsOfNetwork', networkOf(addressOf(request)))
      const now = clock.now()
      const sent = joinForms(queryOf(request), formOf(request))
      const client = await readClient(database, sent)
      const redirectUri = readRedirectUri(sent, client)
      const fault = errorOfClient(client)
      if (fault !== undefined) throw new AuthorizeError(fault, { client })

      const state = stateToReturn(sent)
      const back = { redirectUri, state: state === undefined ? null : Buffer.from(state, 'latin1') }
      const reading = readAuthorizationRequest(sent, client.revision)
      if (reading.kind === 'refused') {
        const { error, description, cause = description } = reading
        await recordBeside(request.log, database, {
          ...{ appId: client.appId, sandbox: client.sandbox, kind: 'authorization_refused' },
          ...{ cause: `${error}: ${cause}`, requestId: request.id, now, random },
        })
        // After the event above, which names the cause: the page's own line would repeat it.
        const visitor = client.sandbox ? await findVisitor(service, request) : undefined
        if (!(await mayBeSentBack(database, client, visitor?.caller))) throw new AuthorizeError('sandbox_request_wrong')
        return redirectBack(reply, wayBackOf(back, client, config), { error, description })
      }
      const { scopes, codeChallenge = null, prompts } = reading.request
      const kept = { ...back, scopes: scopes.filter(isScope), codeChallenge, prompts, loginHint: readLoginHint(sent) }
      const requestId = await keepRequest(database, { clientId: client.clientId, ...kept }, { now, random })
      return reply.redirect(`/oauth2/consent?request=${requestId}`, 303)
    },
  })
}

/** @throws client_missing, client_ambiguous, client_unknown: nobody can be sent back by an app that is not known */
async function readClient(database: Database, sent: Form): Promise<Client> {
  const names = ['clientId', 'client_id'].map((name) => sent.get(name) ?? [])
  const [clientId, ...others] = new Set(names.flat())
  if (others.length > 0 || names.some((values) => values.length > 1)) throw new AuthorizeError('client_ambiguous')
  if (clientId === undefined || clientId === '') throw new AuthorizeError('client_missing')
  const client = await findClient(database, clientId)
  if (client === undefined) throw new AuthorizeError('client_unknown')
  return client
}

/** @throws redirect_uri_missing, redirect_uri_unknown: what is not registered is not followed (RFC 9700, 4.11) */
function readRedirectUri(sent: Form, client: Client): string {
  const redirectUri = soleText(sent, 'redirect_uri') ?? ''
  if (redirectUri === '') throw new AuthorizeError('redirect_uri_missing', { client })
  if (!isRegistered(redirectUri, client.revision.callbackUrls)) {
    const cause = `The redirect_uri ${redirectUri} is not one of the callback URLs that the app has registered.`
    throw new AuthorizeError('redirect_uri_unknown', { client, cause })
  }
  return redirectUri
}

/** Only what may be somebody's address is put into a field that people trust to be theirs. */
function readLoginHint(sent: Form): string | null {
  const hint = textOf(sent.get('login_hint')?.[0] ?? '') ?? ''
  return isEmailAddress(hint) ? hint : null
}

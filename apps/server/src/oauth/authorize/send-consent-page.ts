import { isReadOnly, type Scope } from '@parley/contract'
import { mayLeaveOutScopes } from '@parley/rules/oauth/consent'
import { type Resource, resourceOf } from '@parley/rules/oauth/resource'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WithDatabase } from '../../access/service.ts'
import type { Dependencies as AccountsService } from '../../accounts/dependencies.ts'
import { sendPage } from '../../server-pages/page.ts'
import { readAppFacts } from './app-facts.ts'
import { consentPage } from './consent-page.ts'
import { csrfToken } from './csrf.ts'
import type { OpenRequest } from './open-request.ts'
import { pageLanguage } from './page-language.ts'
import type { SignedInUser } from './signed-in-user.ts'

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

/** Show the consent page of a request. */
export async function sendConsentPage(
  service: WithDatabase<AccountsService>,
  http: { request: FastifyRequest; reply: FastifyReply },
  { opened, user, known, added, otherResources, nothingSelected = false }: ShownConsent,
) {
  const { requestId, request, client } = opened
  const facts = await readAppFacts(service, client)
  const csrf = csrfToken(service.encryption, { form: 'consent', requestId, boundTo: user.sessionId })
  const language = pageLanguage(http.request, user)
  const { redirectUri } = request
  const optional = optionalScopes(opened, added)
  const scopes = { known, added, optional, nothingSelected }
  const resource = resourceOf(request.resource)
  const form = { language, requestId, csrf, user, client, facts, redirectUri, resource, otherResources, ...scopes }
  return sendPage(http.reply, consentPage(form))
}

/** The new scopes that the user may leave out: those that change something (docs/decisions/0152). */
export const optionalScopes = ({ request, client }: OpenRequest, added: readonly Scope[]): readonly Scope[] =>
  mayLeaveOutScopes(client.clientType, request.resource) ? added.filter((scope) => !isReadOnly(scope)) : []

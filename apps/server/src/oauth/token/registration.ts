import { type Scope, scopeNames } from '@parley/contract'
import { writeScopes } from '@parley/rules/oauth/scope-set'
import { type ClientMetadata, readClientMetadata } from '@parley/rules/oauth-apps/client-metadata'
import { readJsonObject } from '@parley/rules/text/json-object'
import type { Violation } from '@parley/rules/text/violation'
import { networkOf } from '../../access/network.ts'
import { insertAgentClient } from '../../oauth-apps/agent-clients/agent-client-store.ts'
import { newClientId } from '../../oauth-apps/client-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { anyOrigin } from '../../platform/http/cross-origin.ts'
import { addressOf } from '../../platform/http/http.ts'
import { mapError } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { renderProblem, toDescription } from './token-errors.ts'

/** Announced in the server's metadata with AGENT_REGISTRATION=on, and not found otherwise. */
export const registrationPath = '/api/oauth2/v2/register'

/** The same as for a client's document. */
const maxRegistrationBytes = 5 * 1024

/** The name of a client that sends none. */
const unnamed = 'Unnamed assistant'

/** The error responses of RFC 7591, 3.2.2. The description quotes at most ASCII (RFC 6749, 5.2). */
class RegistrationRefusal extends Error {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'

  constructor(error: RegistrationRefusal['error'], description: string) {
    super(toDescription(description))
    this.error = error
  }
}

/**
 * Register dynamic client registration (RFC 7591) for clients without a document of their own. Anyone may call it, so it
 * stores a draft that no reviewer sees: the first signed-in person who uses the client submits it for review. There is
 * neither a secret nor a registration access token.
 */
export function registerRegistration(dependencies: Dependencies): void {
  const { http, database, clock, random, config, attemptLimits, databaseFailures } = dependencies
  if (config.agents.registration === 'off') return
  // A plugin scope of its own, so that the body is read as text here: of a repeated name, a parser keeps one value.
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const options = { parseAs: 'string', bodyLimit: maxRegistrationBytes } as const
    scope.addContentTypeParser('application/json', options, async (_: unknown, body: string) => body)
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof RegistrationRefusal) {
        const { error: code, message } = error
        reply.errorCode = code
        return reply.status(400).send({ error: code, error_description: message, request_id: request.id })
      }
      const { status, headers, body } = renderProblem(mapError(error, request, databaseFailures), request.id)
      reply.errorCode = body.error
      return reply.status(status).headers(headers).send(body)
    })
    // Clients in a page of any origin register themselves too; JSON needs a preflight request (Fetch, 3.2.2).
    scope.options(registrationPath, (_request, reply) =>
      reply
        .status(204)
        .headers({ ...anyOrigin, 'access-control-allow-methods': 'POST', 'access-control-allow-headers': '*' })
        .send(),
    )
    scope.post(registrationPath, async (request, reply) => {
      reply.headers({ ...anyOrigin, pragma: 'no-cache' })
      const metadata = readRegistration(typeof request.body === 'string' ? request.body : '')
      await attemptLimits.countOrRefuse('registrationsOfNetwork', networkOf(addressOf(request)))
      const now = clock.now()
      const clientId = newClientId('real', random)
      await inTransaction(database, (tx) =>
        insertAgentClient(tx, { registration: 'dynamic', clientId, metadata, now, random }),
      )
      return reply.status(201).send(viewRegistration(clientId, metadata, now))
    })
  })
}

/** @throws RegistrationRefusal */
function readRegistration(body: string): ClientMetadata<Scope> {
  const json = readJsonObject(body)
  if (json.kind === 'refused') throw new RegistrationRefusal('invalid_client_metadata', `The request ${json.cause}.`)
  const { value, violations = [] } = readClientMetadata(json.object, {
    clientId: undefined,
    unnamed,
    scopes: scopeNames,
  })
  if (value !== undefined) return value
  throw new RegistrationRefusal(
    violations.some(isAboutRedirect) ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    violations.map(({ message }) => message).join(' '),
  )
}

const isAboutRedirect = ({ path }: Violation) => path.startsWith('/redirect_uris')

/** The registered metadata, which may be less than the request (RFC 7591, 3.2.1). */
const viewRegistration = (clientId: string, metadata: ClientMetadata<Scope>, now: Date) => ({
  client_id: clientId,
  client_id_issued_at: Math.floor(now.getTime() / 1000),
  client_name: metadata.name,
  redirect_uris: metadata.redirectUris,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  scope: writeScopes(metadata.scopes),
  ...(metadata.homepageUrl !== '' && { client_uri: metadata.homepageUrl }),
  ...(metadata.policyUrl !== '' && { policy_uri: metadata.policyUrl }),
  ...(metadata.logoUrl !== '' && { logo_uri: metadata.logoUrl }),
})

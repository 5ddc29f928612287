import type { BodyOf, Endpoint, ReplyOf } from '@parley/contract'
import { readClientCredentials, type SentCredentials } from '@parley/rules/oauth/client-authentication'
import { isPublic } from '@parley/rules/oauth/client-type'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { limitsRequests, type RunInTurn, requesterOfClient } from '../../access/request-limits.ts'
import { logAppEvent } from '../../oauth-apps/events/app-event-store.ts'
import type { Refusal, RefusalLog } from '../../oauth-apps/events/refusal-log.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DatabaseFailureLog } from '../../platform/database/database-failure-log.ts'
import { anyOrigin } from '../../platform/http/cross-origin.ts'
import { addressOf } from '../../platform/http/http.ts'
import { mapError } from '../../platform/http/problem.ts'
import { isSentTwice } from '../../platform/http/request-headers.ts'
import type { Random } from '../../platform/random.ts'
import type { AuthenticatedClient, ClientAuthentication } from './client-authentication.ts'
import { type FormFields, formFieldsOf, maxFormBytes, OtherBody, readFields } from './form-body.ts'
import { type RefusedApp, renderProblem, renderRefusal, TokenRefusal } from './token-errors.ts'

/** An endpoint that clients authenticate to, public ones by their id alone; its body is a form. */
type ClientEndpoint = Endpoint & { access: 'client'; form: true; body: TObject }

/** The request of an authenticated client; the form has each field at most once, and none empty. */
type ClientRequest<E extends ClientEndpoint> = {
  client: AuthenticatedClient
  form: Partial<BodyOf<E>>
  now: Date
  requestId: string
}

export type ServeClient = <E extends ClientEndpoint>(
  endpoint: E,
  handle: (request: ClientRequest<E>) => Promise<ReplyOf<E>>,
  options?: {
    /** Refuse public clients, for what requires authentication. */
    confidentialOnly?: boolean
  },
) => void

type ServeClientOptions = ClientAuthentication & {
  http: FastifyInstance
  database: Database
  clock: Clock
  random: Random
  databaseFailures: DatabaseFailureLog
  refusalLog: RefusalLog
  runInTurn: RunInTurn
}

/**
 * Create the function that serves endpoints for clients: parse the form, authenticate the client, call the handler.
 * Errors are those of RFC 6749, 5.2; their causes go to the app's event log.
 */
export function createServeClient({
  http,
  database,
  clock,
  random,
  databaseFailures,
  refusalLog,
  authenticateClient,
  findNamedApp,
  runInTurn,
}: ServeClientOptions): ServeClient {
  return (endpoint, handle, { confidentialOnly = false } = {}) => {
    const fields = formFieldsOf(endpoint.name, endpoint.body)

    // A plugin scope of its own, so that forms are parsed here only, and nothing else is.
    http.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      const options = { parseAs: 'string', bodyLimit: maxFormBytes } as const
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        options,
        async (_: unknown, body: string) => new URLSearchParams(body),
      )
      scope.addContentTypeParser(
        '*',
        options,
        async ({ headers }: FastifyRequest, body: string) => new OtherBody(headers['content-type'] ?? '', body),
      )
      scope.setErrorHandler((error, request, reply) => refuse(error, request, reply))
      scope.route({
        method: endpoint.method,
        url: endpoint.path,
        schema: { response: { '2xx': endpoint.reply } },
        ...limitsRequests,
        handler: async (request, reply) => {
          if (request.body instanceof OtherBody) throw await refuseOtherBody(request, request.body)
          const now = clock.now()
          const sent = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
          const credentials = readCredentials(request, sent, fields)
          // A public client in a page reads its answer; what came with a secret stays unreadable there.
          if (credentials.authorization === undefined && credentials.clientSecret === undefined)
            reply.headers(anyOrigin)
          const client = await authenticateClient(credentials, addressOf(request), now)
          reply.header('pragma', 'no-cache')
          try {
            if (confidentialOnly && isPublic(client.clientType)) {
              throw new TokenRefusal('invalid_client', 'The app is a public client; this endpoint requires a secret.')
            }
            const form = readFields(sent, fields) as Partial<BodyOf<typeof endpoint>>
            return await runInTurn(request, requesterOfClient(client.appId), endpoint.cost, () =>
              handle({ client, form, now, requestId: request.id }),
            )
          } catch (error) {
            if (!(error instanceof TokenRefusal)) throw error
            const isLogged = error.event !== undefined
            const refusal = refusalOf(error, 'token_refused', request.id, client, now)
            // Any party that knows a public client's id can cause very many, and has not authenticated.
            if (isPublic(client.clientType)) {
              if (!isLogged) refusalLog.record(refusal)
              throw error
            }
            if (!isLogged) await logAppEvent(request.log, database, { ...refusal, random })
            const { code, message, headers } = error
            throw new TokenRefusal(code, message, { headers, event: null, isExact: true })
          }
        },
      })
    })
  }

  /** The client is not authenticated for this: what it names is enough to tell its developer. */
  async function refuseOtherBody(request: FastifyRequest, body: OtherBody): Promise<TokenRefusal> {
    const { authorization } = request.headers
    const { clientId } = readClientCredentials({ authorization, clientId: body.clientId, clientSecret: undefined })
    const event = (await findNamedApp(clientId)) ?? null
    const cause = `Send the parameters as application/x-www-form-urlencoded; this body is ${body.mediaType}.`
    return new TokenRefusal('invalid_request', cause, { event, isExact: true })
  }

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const { status, headers, body } =
      error instanceof TokenRefusal
        ? renderRefusal(error, request.id)
        : renderProblem(mapError(error, request, databaseFailures), request.id)
    reply.errorCode = body.error
    if (error instanceof TokenRefusal && error.event) {
      refusalLog.record(refusalOf(error, 'client_refused', request.id, error.event, clock.now()))
    }
    return reply
      .status(status)
      .headers({ ...headers, 'content-type': 'application/json', pragma: 'no-cache' })
      .send(JSON.stringify(body))
  }
}

/** `client_refused` may come from any party that knows the client id; `token_refused` from the authenticated app, or as a public client. */
const refusalOf = (
  refusal: TokenRefusal,
  kind: Refusal['kind'],
  requestId: string,
  app: RefusedApp,
  now: Date,
): Refusal => ({
  appId: app.appId,
  sandbox: app.sandbox,
  ...(app.triedSecretHash && { triedSecretHash: app.triedSecretHash }),
  kind,
  cause: refusal.message,
  requestId,
  now,
})

/** @throws TokenRefusal invalid_request for credentials that are repeated or too long */
function readCredentials(request: FastifyRequest, sent: URLSearchParams, fields: FormFields<string>): SentCredentials {
  if (isSentTwice(request.raw, 'authorization')) {
    throw new TokenRefusal('invalid_request', 'The Authorization header was sent more than once.', { isExact: true })
  }
  const { client_id = 0, client_secret = 0 } = fields
  const { client_id: clientId, client_secret: clientSecret } = readFields(sent, { client_id, client_secret })
  return { authorization: request.headers.authorization, clientId, clientSecret }
}

import type { BodyOf, Endpoint, ReplyOf } from '@parley/contract'
import { readClientCredentials, type SentCredentials } from '@parley/rules/oauth/client-credentials'
import { isPublic } from '@parley/rules/oauth/client-type'
import { lengthInCharacters } from '@parley/rules/text/plain-text'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { limitsRequests, requesterOfClient } from '../../access/request-limits.ts'
import { logAppEvent } from '../../oauth-apps/events/app-event-store.ts'
import type { RecordedRefusal } from '../../oauth-apps/events/refusal-log.ts'
import { anyOrigin } from '../../platform/http/cross-origin.ts'
import { addressOf } from '../../platform/http/http.ts'
import { mapError } from '../../platform/http/problem.ts'
import { isSentTwice } from '../../platform/http/request-headers.ts'
import type { Dependencies } from '../dependencies.ts'
import { type AuthenticatedClient, createClientAuthentication } from './client-authentication.ts'
import { type RefusedApp, renderProblem, renderRefusal, TokenRefusal } from './token-errors.ts'

/** An endpoint that clients authenticate to, public ones by their id alone; its body is a form. */
type ClientEndpoint = Endpoint & { access: 'client'; form: true; body: TObject }

/** The request of an authenticated client. */
export type ClientRequest = { client: AuthenticatedClient; now: Date; requestId: string }

/** The form has each field at most once, and no empty fields. */
type FormRequest<E extends ClientEndpoint> = ClientRequest & { form: Partial<BodyOf<E>> }

export type ServeClient = <E extends ClientEndpoint>(
  endpoint: E,
  handle: (request: FormRequest<E>) => Promise<ReplyOf<E>>,
  options?: {
    /** Refuse public clients, for what requires authentication. */
    confidentialOnly?: boolean
  },
) => void

/**
 * Create the function that serves endpoints for clients: parse the form, authenticate the client, call the handler.
 * Errors are those of RFC 6749, 5.2; their causes go to the app's event log.
 */
export function createServeClient(dependencies: Dependencies): ServeClient {
  const { http, database, clock, random, databaseFailures, refusalLog, runInTurn } = dependencies
  const { authenticateClient, findNamedApp } = createClientAuthentication(dependencies)
  return (endpoint, handle, { confidentialOnly = false } = {}) => {
    const fields = formFieldsOf(endpoint.name, endpoint.body)

    // A plugin scope of its own, so that forms are parsed here only, and nothing else is.
    http.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      const options = { parseAs: 'string', bodyLimit: maxClientFormBytes } as const
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
          // A page of a public client may read its answer; answers to requests with a secret stay unreadable for pages.
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
            // Any party that knows the id of a public client can cause any number of refusals.
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

  /** The client has not authenticated: the id that it names selects the event log of its developer. */
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

/**
 * `client_refused` may come from any party that knows the client id; `token_refused` from the authenticated app, or from
 * any party in the name of a public client.
 */
const refusalOf = (
  refusal: TokenRefusal,
  kind: RecordedRefusal['kind'],
  requestId: string,
  app: RefusedApp,
  now: Date,
): RecordedRefusal => ({
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

/** Many times the size of a request with a long redirect URI. */
const maxClientFormBytes = 32 * 1024

/** A body that is not a form: the parameters of a client that sends JSON, most often. */
class OtherBody {
  readonly mediaType: string
  readonly text: string

  constructor(contentType: string, text: string) {
    const [sent = ''] = contentType.toLowerCase().split(';')
    this.mediaType = mediaTypeForm.test(sent.trim()) ? sent.trim() : 'of another type'
    this.text = text
  }

  /** The client id in a JSON object; undefined in any other body. */
  get clientId(): string | undefined {
    try {
      const { client_id: clientId } = Object(JSON.parse(this.text)) as { client_id?: unknown }
      return typeof clientId === 'string' ? clientId : undefined
    } catch {
      return undefined
    }
  }
}

/** Names that are registered are shorter (RFC 6838, 4.2). */
const mediaTypeForm = /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,60}$/

/** The fields of a form with their maximum lengths in characters. */
type FormFields<Name extends string> = Readonly<Record<Name, number>>

/** Read the fields of an endpoint's form from the contract. */
function formFieldsOf(endpoint: string, { properties }: TObject): FormFields<string> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      if (!('maxLength' in property) || typeof property.maxLength !== 'number') {
        throw new TypeError(`${endpoint}: ${name} has no maximum length`)
      }
      return [name, property.maxLength]
    }),
  )
}

/**
 * Read the named fields of a form; others are ignored. A field without a value counts as absent, a repeated or too long
 * one is refused (RFC 6749, 3.2). @throws TokenRefusal
 */
function readFields<Name extends string>(
  sent: URLSearchParams,
  fields: FormFields<Name>,
): Partial<Record<Name, string>> {
  const form: Partial<Record<Name, string>> = {}
  for (const [name, maxLength] of Object.entries(fields) as [Name, number][]) {
    const [value, ...others] = sent.getAll(name)
    if (others.length > 0) {
      // RFC 8707, 2, permits several resources, which servers may refuse.
      const code = name === 'resource' ? 'invalid_target' : 'invalid_request'
      throw new TokenRefusal(code, `${name} was sent more than once.`, { isExact: true })
    }
    if (value === undefined || value === '') continue
    if (lengthInCharacters(value) > maxLength) {
      throw new TokenRefusal('invalid_request', `${name} has more than ${maxLength} characters.`, { isExact: true })
    }
    // PostgreSQL cannot store NUL, and no issued or registered value contains one.
    if (value.includes('\0')) {
      throw new TokenRefusal('invalid_request', `${name} holds a NUL character.`, { isExact: true })
    }
    form[name] = value
  }
  return form
}

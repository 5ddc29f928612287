import { timingSafeEqual } from 'node:crypto'
import { readClientCredentials, type SentCredentials } from '@parley/rules/oauth/client-credentials'
import { type ClientType, isPublic } from '@parley/rules/oauth/client-type'
import { networkOf } from '../../access/network.ts'
import { approvalOf } from '../../oauth-apps/agent-clients/client-approval.ts'
import { isClientId } from '../../oauth-apps/client-store.ts'
import { createBatcher } from '../../platform/database/batch.ts'
import { sha256 } from '../../platform/sha256.ts'
import type { Dependencies } from '../dependencies.ts'
import { type ActiveSecret, findClientsWithSecrets } from './client-secret-store.ts'
import { type RefusedApp, TokenRefusal } from './token-errors.ts'
import { createTokenLimits } from './token-limits.ts'

/** A client that has authenticated, or a public one, which has only named itself. */
export type AuthenticatedClient = { appId: string; clientId: string; sandbox: boolean; clientType: ClientType }

/**
 * Create the authentication of clients by id and secret (RFC 6749, 2.3.1). A public client sends its id alone; the type
 * of the client decides, never the request: otherwise every holder of its id could impersonate a client with secrets.
 * An unknown client gets the reply to a wrong secret, though not in the same time: a client id is part of the address
 * of every authorization request and no secret (RFC 6749, 2.2). Authentication comes before everything else in the
 * request. Other parties' failures do not delay the right secret.
 * @throws TokenRefusal invalid_client, invalid_request; too_many_requests after 50 failures of a client from one
 * network
 */
export function createClientAuthentication({ database, pool, lastUse, encryption, config }: Dependencies) {
  const { baseUrl, rateLimits, databaseUrl } = config
  // With the embedded database there is one process, which counts in memory.
  const limits = createTokenLimits({ encryption, rateLimits, ...(databaseUrl !== undefined && { pool }) })
  const findClient = createBatcher(async (clientIds: readonly string[]) => {
    const clients = new Map((await findClientsWithSecrets(database, clientIds)).map((found) => [found.clientId, found]))
    return clientIds.map((clientId) => clients.get(clientId))
  })
  async function findAllowedClient(clientId: string) {
    const found = isClientId(clientId) ? await findClient(clientId) : undefined
    return found && approvalOf(found, config) !== 'refused' ? found : undefined
  }

  /** Find the app of a client id that a request names without a proof, for its event log. */
  async function findNamedApp(clientId = ''): Promise<RefusedApp | undefined> {
    const client = await findAllowedClient(clientId)
    return client && { appId: client.appId, sandbox: client.sandbox }
  }

  async function authenticateClient(sent: SentCredentials, address: string, now: Date): Promise<AuthenticatedClient> {
    const credentials = readClientCredentials(sent)
    const { clientId = '' } = credentials
    const client = await findAllowedClient(clientId)
    if (credentials.kind === 'presented' && credentials.method === 'none' && client && isPublic(client.clientType)) {
      await limits.countPublic(clientId, networkOf(address))
      const { appId, sandbox, clientType } = client
      return { appId, clientId, sandbox, clientType }
    }
    const secretHash = sha256(
      credentials.kind === 'presented' && credentials.method !== 'none' ? credentials.secret : '',
    )
    const hasSecrets = client !== undefined && !isPublic(client.clientType)
    const matching = hasSecrets ? findSecret(client.secrets, secretHash) : undefined

    if (credentials.kind === 'presented' && client !== undefined && matching !== undefined && isLive(matching, now)) {
      await limits.countSuccess(clientId)
      lastUse.record('appSecret', { id: matching.id, lastUsedAt: matching.lastUsedAt })
      const { appId, sandbox, clientType } = client
      return { appId, clientId, sandbox, clientType }
    }
    // An unknown client has no log of events.
    const app = client === undefined ? null : { appId: client.appId, sandbox: client.sandbox }
    // Count malformed credentials too: each is written into the log of an app whose id may be public.
    await limits.countFailure(clientId, networkOf(address))
    if (credentials.kind === 'refused' && credentials.error === 'invalid_request') {
      throw new TokenRefusal('invalid_request', credentials.cause, { event: app, isExact: true })
    }
    const basic = credentials.kind === 'presented' ? credentials.method === 'basic' : credentials.basic
    const cause = credentials.kind === 'refused' ? credentials.cause : causeOf(credentials.method, matching, client)
    const hasTried = hasSecrets && credentials.kind === 'presented' && credentials.method !== 'none'
    throw new TokenRefusal('invalid_client', cause, {
      event: app && { ...app, ...(hasTried && { triedSecretHash: secretHash }) },
      headers: basic ? { 'www-authenticate': `Basic realm="${baseUrl}", charset="UTF-8"` } : {},
    })
  }
  return { authenticateClient, findNamedApp }
}

const findSecret = (secrets: readonly ActiveSecret[], secretHash: Buffer): ActiveSecret | undefined =>
  secrets.find((secret) => timingSafeEqual(secret.secretHash, secretHash))

const isLive = ({ expiresAt }: ActiveSecret, now: Date) => expiresAt === null || expiresAt > now

function causeOf(
  method: 'basic' | 'post' | 'none',
  matching: ActiveSecret | undefined,
  client: { clientType: ClientType } | undefined,
): string {
  if (method === 'none') return 'The request holds no client secret.'
  if (client !== undefined && isPublic(client.clientType)) {
    return 'The app is a public client, which has no secret; it sends its client_id alone.'
  }
  return matching === undefined ? 'The client secret is wrong.' : 'The client secret has expired.'
}

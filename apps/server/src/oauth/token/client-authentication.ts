import { hash, timingSafeEqual } from 'node:crypto'
import { readClientCredentials, type SentCredentials } from '@parley/rules/oauth/client-authentication'
import type { LastUse } from '../../access/credentials/last-use.ts'
import { networkOf } from '../../access/network.ts'
import { createBatcher } from '../../platform/database/batch.ts'
import { startPause } from '../../platform/pause.ts'
import type { Database } from '../../tables/tables.ts'
import { type ActiveSecret, absentId, findClientsWithSecrets } from './client-secret-store.ts'
import { TokenRefusal } from './token-errors.ts'
import type { TokenLimits } from './token-limits.ts'

/** A client that has authenticated. */
export type AuthenticatedClient = { appId: string; clientId: string; sandbox: boolean }

export type AuthenticateClient = (sent: SentCredentials, address: string, now: Date) => Promise<AuthenticatedClient>

export type ClientAuthenticationOptions = { database: Database; lastUse: LastUse; limits: TokenLimits; baseUrl: string }

/** Looked up in place of a malformed client id, so that it takes as long. */
const absentClientId = 'absentClientId'
const clientIdForm = /^[A-Za-z0-9_]{1,100}$/

/**
 * Every refusal takes this long from the request's arrival, more than authentication takes except under heavy load.
 * Successful authentication does not wait.
 */
const refusalMs = 5

/** Compared with when there is no secret. */
const noSecret = Buffer.alloc(32)

/**
 * Create the authentication of clients by id and secret (RFC 6749, 2.3.1). An unknown client takes the same path as a
 * wrong secret: the same statement, comparisons, counters and log entry, which is discarded in the end. Refusals are
 * delayed to a fixed time, which hides whether PostgreSQL found a row. Authentication comes before everything else in
 * the request. Other parties' failures do not delay the right secret.
 * @throws TokenRefusal invalid_client, invalid_request; too_many_requests after 50 failures of a client from one network
 */
export function createClientAuthentication(options: ClientAuthenticationOptions): AuthenticateClient {
  const { database, lastUse, limits, baseUrl } = options
  const findClient = createBatcher(async (clientIds: readonly string[]) => {
    const clients = new Map((await findClientsWithSecrets(database, clientIds)).map((found) => [found.clientId, found]))
    return clientIds.map((clientId) => clients.get(clientId))
  })
  return async (sent, address, now) => {
    const pause = startPause(refusalMs)
    try {
      return await authenticate(sent, address, now)
    } catch (error) {
      await pause.over
      throw error
    } finally {
      pause.cancel()
    }
  }

  async function authenticate(sent: SentCredentials, address: string, now: Date): Promise<AuthenticatedClient> {
    const credentials = readClientCredentials(sent)
    const { clientId = absentClientId } = credentials
    const client = await findClient(clientIdForm.test(clientId) ? clientId : absentClientId)
    const secretHash = hash('sha256', credentials.kind === 'presented' ? credentials.secret : '', 'buffer')
    const matching = findSecret(client?.secrets ?? [], secretHash)

    if (credentials.kind === 'presented' && client !== undefined && matching !== undefined && isLive(matching, now)) {
      await limits.countSuccess(clientId)
      lastUse.note('appSecret', { id: matching.id, last_used_at: matching.lastUsedAt })
      return { appId: client.appId, clientId, sandbox: client.sandbox }
    }
    const { appId, sandbox } = client ?? { appId: absentId, sandbox: false }
    // Count malformed credentials too: each is written into the log of an app whose id may be public.
    await limits.countFailure(clientId, networkOf(address))
    if (credentials.kind === 'refused' && credentials.error === 'invalid_request') {
      throw new TokenRefusal('invalid_request', credentials.cause, { event: { appId, sandbox } })
    }
    const basic = credentials.kind === 'presented' ? credentials.method === 'basic' : credentials.basic
    const cause = credentials.kind === 'refused' ? credentials.cause : causeOf(matching)
    throw new TokenRefusal('invalid_client', cause, {
      event: { appId, sandbox, triedSecretHash: secretHash },
      headers: basic ? { 'www-authenticate': `Basic realm="${baseUrl}", charset="UTF-8"` } : {},
    })
  }
}

/** Always compare two secrets, so that the time does not tell how many there are. */
function findSecret(secrets: readonly ActiveSecret[], secretHash: Buffer): ActiveSecret | undefined {
  let found: ActiveSecret | undefined
  for (let index = 0; index < Math.max(2, secrets.length); index++) {
    const secret = secrets[index]
    const isSame = timingSafeEqual(secret?.secretHash ?? noSecret, secretHash)
    if (isSame && secret?.id !== absentId) found = secret
  }
  return found
}

const isLive = ({ expiresAt }: ActiveSecret, now: Date) => expiresAt === null || expiresAt > now

const causeOf = (matching: ActiveSecret | undefined) =>
  matching === undefined ? 'The client secret is wrong.' : 'The client secret has expired.'

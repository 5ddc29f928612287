import { hash, timingSafeEqual } from 'node:crypto'
import { readClientCredentials, type SentCredentials } from '@parley/rules/oauth/client-authentication'
import type { LastUse } from '../../access/credentials/last-use.ts'
import { networkOf } from '../../access/network.ts'
import { createBatcher } from '../../platform/database/batch.ts'
import { startPause } from '../../platform/pause.ts'
import type { Database } from '../../tables/tables.ts'
import { type ActiveSecret, findClientsWithSecrets, nobodysId } from './client-secret-store.ts'
import { TokenRefusal } from './token-errors.ts'
import type { TokenLimits } from './token-limits.ts'

/** An app that has proved itself. */
export type AuthenticatedClient = { appId: string; clientId: string; sandbox: boolean }

export type AuthenticateClient = (sent: SentCredentials, address: string, now: Date) => Promise<AuthenticatedClient>

export type ClientAuthenticationOptions = { database: Database; lastUse: LastUse; limits: TokenLimits; baseUrl: string }

/** Looked up in place of what cannot be an id, so that it takes as long. */
const nobody = 'nobody'
const clientIdForm = /^[A-Za-z0-9_]{1,100}$/

/**
 * From its arrival to its answer a refusal takes this long, whatever was found on the way; more than all of that takes
 * but under heavy load. Who is let in does not wait.
 */
const refusalMs = 5

/** Compared with where there is no secret to compare with. */
const noSecret = Buffer.alloc(32)

/**
 * Finds the app that sends a request, by its client id and one of its secrets (RFC 6749, 2.3.1). An unknown client takes the
 * same path as a wrong secret: statement, comparisons, counts, and a line for a log, which has no place to stand in the end.
 * The little that is left of a difference, a row that PostgreSQL finds or not, is hidden by answering on a beat that
 * began with the request. Nothing of what the request is about is touched before. The right secret is never held up by
 * others' failures.
 * @throws TokenRefusal invalid_client, invalid_request; after 50 failures of a client from one network slow_down
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
    const { clientId = nobody } = credentials
    const client = await findClient(clientIdForm.test(clientId) ? clientId : nobody)
    const secretHash = hash('sha256', credentials.kind === 'presented' ? credentials.secret : '', 'buffer')
    const used = findSecret(client?.secrets ?? [], secretHash)

    if (credentials.kind === 'presented' && client !== undefined && used !== undefined && isLive(used, now)) {
      await limits.countSuccess(clientId)
      lastUse.note('appSecret', { id: used.id, last_used_at: used.lastUsedAt })
      return { appId: client.appId, clientId, sandbox: client.sandbox }
    }
    const { appId, sandbox } = client ?? { appId: nobodysId, sandbox: false }
    // Malformed ones too: each is written into the log of an app whose id anybody may know.
    await limits.countFailure(clientId, networkOf(address))
    if (credentials.kind === 'refused' && credentials.error === 'invalid_request') {
      throw new TokenRefusal('invalid_request', credentials.cause, { event: { appId, sandbox } })
    }
    const basic = credentials.kind === 'presented' ? credentials.method === 'basic' : credentials.basic
    const cause = credentials.kind === 'refused' ? credentials.cause : causeOf(used)
    throw new TokenRefusal('invalid_client', cause, {
      event: { appId, sandbox, triedSecretHash: secretHash },
      headers: basic ? { 'www-authenticate': `Basic realm="${baseUrl}", charset="UTF-8"` } : {},
    })
  }
}

/** Compares with two secrets always: how many there are cannot be told from the time. */
function findSecret(secrets: readonly ActiveSecret[], secretHash: Buffer): ActiveSecret | undefined {
  let found: ActiveSecret | undefined
  for (let place = 0; place < Math.max(2, secrets.length); place++) {
    const secret = secrets[place]
    const isSame = timingSafeEqual(secret?.secretHash ?? noSecret, secretHash)
    if (isSame && secret?.id !== nobodysId) found = secret
  }
  return found
}

const isLive = ({ expiresAt }: ActiveSecret, now: Date) => expiresAt === null || expiresAt > now

const causeOf = (used: ActiveSecret | undefined) =>
  used === undefined ? 'The client secret is wrong.' : 'The client secret has expired.'

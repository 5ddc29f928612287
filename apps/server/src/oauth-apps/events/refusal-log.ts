import { describeTriedSecret } from '@parley/rules/oauth/client-credentials'
import {
  addRefusals,
  type CountedRefusals,
  hourOf,
  keyOfLine,
  otherCauses,
  planRefusalLines,
} from '@parley/rules/oauth-apps/refusal-lines'
import type { Logger } from 'pino'
import type { Database } from '../../platform/database/database.ts'
import { createDelayedFlush } from '../../platform/delayed-flush.ts'
import type { Random } from '../../platform/random.ts'
import { findTriedSecrets } from '../app-secret-store.ts'
import { addRefusalsToLines, listRefusalLines, plainCause } from './app-event-store.ts'

/** Collect refusals for this long: an instance writes at most four times a second, however large a flood is. */
const flushDelayMs = 250

/**
 * Causes of one app, and tried secrets of one app, that wait to be written. Further secrets are not looked up, and further
 * causes are counted as others.
 */
const maxPendingOfApp = 20

/**
 * Maximum of different refusals of all apps that wait to be written; further ones are dropped. They take about 1 MiB.
 */
const maxPendingRefusals = 1_000

export type RecordedRefusal = {
  appId: string
  sandbox: boolean
  kind:
    | 'authorization_refused'
    | 'consent_denied'
    | 'client_refused'
    | 'token_refused'
    | 'api_refused'
    | 'embed_refused'
  cause: string
  requestId: string
  now: Date
  /** The hash of a client secret that was refused: its name replaces the cause where the app has or had that secret. */
  triedSecretHash?: Buffer
}

type PendingRefusals = CountedRefusals & { triedSecretHash?: Buffer }

export type RefusalLog = {
  /** Count a refusal. Never throws, never waits. */
  record(refusal: RecordedRefusal): void
  /** Write what is pending now. Call it before the database is closed. */
  flush(): Promise<void>
}

/**
 * Create the log of refusals that do not need the app's credentials: a party that knows the client id, or holds an ended
 * token, can cause any number of them. Those of one cause share a line for an hour (docs/oauth.md, "Event log"), and are
 * written outside of the requests.
 */
export function createRefusalLog(options: { database: Database; random: Random; log: Logger }): RefusalLog {
  const { database, random, log } = options
  let pending = new Map<string, PendingRefusals>()
  let pendingOfApp = new Map<string, number>()

  const { schedule, flush } = createDelayedFlush(flushDelayMs, async () => {
    const refusals = [...pending.values()]
    pending = new Map()
    pendingOfApp = new Map()
    if (refusals.length === 0) return
    try {
      const named = await nameTriedSecrets(refusals)
      await addRefusalsToLines(database, planRefusalLines(named, await listRefusalLines(database, named)), random)
    } catch (error) {
      log.warn({ err: error }, 'failed to record why apps were refused')
    }
  })

  /** Add to the waiting refusals; false when there is no room for another. */
  function add(refusal: PendingRefusals, isBounded = true): boolean {
    const key = `${keyOfLine(refusal)} ${refusal.triedSecretHash?.toString('base64') ?? ''}`
    const before = pending.get(key)
    const bounded = `${refusal.appId} ${refusal.triedSecretHash === undefined ? 'causes' : 'secrets'}`
    const ofApp = pendingOfApp.get(bounded) ?? 0
    if (before === undefined && (pending.size >= maxPendingRefusals || (isBounded && ofApp >= maxPendingOfApp)))
      return false
    pending.set(key, before === undefined ? refusal : addRefusals(before, refusal))
    if (before === undefined) pendingOfApp.set(bounded, ofApp + 1)
    return true
  }

  async function nameTriedSecrets(refusals: readonly PendingRefusals[]): Promise<CountedRefusals[]> {
    const tried = refusals.flatMap(({ appId, triedSecretHash: secretHash }) =>
      secretHash === undefined ? [] : [{ appId, secretHash }],
    )
    const secrets = tried.length === 0 ? [] : await findTriedSecrets(database, tried)
    return refusals.map(({ triedSecretHash, ...refusal }) => {
      const secret = secrets.find(
        ({ appId, secretHash }) => appId === refusal.appId && triedSecretHash?.equals(secretHash),
      )
      const cause = secret && describeTriedSecret(secret, refusal, refusal.last)
      return cause === undefined ? refusal : { ...refusal, cause: plainCause(cause) }
    })
  }

  return {
    record({ cause, requestId, now, ...refusal }) {
      const counted = { count: 1, requestIds: [requestId], first: now, last: now, hour: hourOf(now) }
      const line = { ...refusal, ...counted, cause: plainCause(cause) }
      const { triedSecretHash: _, ...unnamed } = line
      if (add(line) || add(unnamed) || add({ ...unnamed, cause: otherCauses }, false)) schedule()
    },
    flush,
  }
}

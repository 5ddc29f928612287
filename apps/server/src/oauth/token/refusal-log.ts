import type { Logger } from 'pino'
import { recordAppEvent, recordEventsOfApps } from '../../oauth-apps/events/app-event-store.ts'
import { createDelayedFlush } from '../../platform/delayed-flush.ts'
import type { Random } from '../../platform/random.ts'
import type { Database } from '../../tables/tables.ts'
import { findSecretNames } from './client-secret-store.ts'
import type { RefusedApp } from './token-errors.ts'

/** Collect refusals for this long, so that many share a statement. */
const flushDelayMs = 100

/** Refusals beyond this are dropped: the log shows enough of a flood. */
const maxPending = 200
const maxPendingOfApp = 20

export type RefusalToLog = RefusedApp & {
  kind: 'client_refused' | 'token_refused'
  cause: string
  requestId: string
  now: Date
}

export type RefusalLog = {
  /** Record why an app was refused. Never throws. */
  log(refusal: RefusalToLog): Promise<void>
  /** Record it later, together with others: parties that only know the client id may cause very many. */
  logLater(refusal: RefusalToLog): void
  /** Write the pending refusals now. Call it before the database is closed. */
  flush(): Promise<void>
}

/** Record the exact causes of refusals for the app's developer. Failures to write do not change the reply. */
export function createRefusalLog(options: { database: Database; random: Random; log: Logger }): RefusalLog {
  const { database, random, log } = options
  const failureMessage = 'failed to record why an app was refused'
  let pending: RefusalToLog[] = []

  const { schedule, flush } = createDelayedFlush(flushDelayMs, writePending)

  async function writePending() {
    const refusals = pending
    pending = []
    if (refusals.length === 0) return
    try {
      const names = await findSecretNames(database, refusals.flatMap(triedSecretOf))
      const nameOf = ({ appId, triedSecretHash }: RefusalToLog) =>
        names.find((secret) => secret.appId === appId && triedSecretHash?.equals(secret.secretHash))?.name
      const events = refusals.map(({ triedSecretHash, ...event }) => {
        const name = nameOf({ ...event, ...(triedSecretHash && { triedSecretHash }) })
        const cause = name === undefined ? event.cause : `${event.cause} It is the retired or expired secret "${name}".`
        return { ...event, cause, random }
      })
      await recordEventsOfApps(database, events)
    } catch (error) {
      log.warn({ err: error }, failureMessage)
    }
  }

  return {
    async log({ triedSecretHash: _, ...event }) {
      try {
        await recordAppEvent(database, { ...event, random })
      } catch (error) {
        log.warn({ err: error, requestId: event.requestId }, failureMessage)
      }
    },
    logLater(refusal) {
      const ofApp = pending.filter(({ appId }) => appId === refusal.appId)
      if (pending.length >= maxPending || ofApp.length >= maxPendingOfApp) return
      pending.push(refusal)
      schedule()
    },
    flush,
  }
}

const triedSecretOf = ({ appId, triedSecretHash }: RefusalToLog) =>
  triedSecretHash === undefined ? [] : [{ appId, secretHash: triedSecretHash }]

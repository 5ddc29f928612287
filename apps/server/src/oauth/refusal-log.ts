import type { Logger } from 'pino'
import type { Database } from '../../migrations/tables.ts'
import { recordAppEvent } from '../apps/app-event-store.ts'
import type { Random } from '../platform/random.ts'
import { findSecretName } from './client-secret-store.ts'
import type { RefusedApp } from './token-errors.ts'

/** Beyond this many at once refusals are a flood, of which the log of the app shows enough already. */
const mostUnderWay = 200

export type RefusalToTell = RefusedApp & {
  kind: 'client_refused' | 'token_refused'
  cause: string
  requestId: string
  now: Date
}

export type RefusalLog = {
  /** Tells an app's developer why it was refused; never fails, and nobody waits for it. */
  tell(refusal: RefusalToTell): void
  /** Resolves when all is written. Call it before the database is closed. */
  flush(): Promise<void>
}

/** Writes exact causes after the answer (oauth.md 3.9): how long an answer takes must not tell whether there is an app. */
export function createRefusalLog(options: { database: Database; random: Random; log: Logger }): RefusalLog {
  const { database, random, log } = options
  const underWay = new Set<Promise<void>>()

  async function write({ triedSecretHash, ...event }: RefusalToTell) {
    try {
      const name = triedSecretHash && (await findSecretName(database, event.appId, triedSecretHash))
      const cause = name === undefined ? event.cause : `${event.cause} It is the retired or expired secret "${name}".`
      await recordAppEvent(database, { ...event, cause, random })
    } catch (error) {
      log.warn({ err: error, requestId: event.requestId }, 'why an app was refused could not be written')
    }
  }

  return {
    tell(refusal) {
      if (underWay.size >= mostUnderWay) return
      const writing = write(refusal).finally(() => underWay.delete(writing))
      underWay.add(writing)
    },
    async flush() {
      await Promise.all(underWay)
    },
  }
}

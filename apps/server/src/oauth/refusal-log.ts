import type { Logger } from 'pino'
import type { Database } from '../../migrations/tables.ts'
import { recordAppEvent } from '../apps/app-event-store.ts'
import type { Random } from '../platform/random.ts'
import { findSecretName } from './client-secret-store.ts'
import type { RefusedApp } from './token-errors.ts'

/** Long enough that the writing slows down anybody's request rather than the next of the same sender. */
const gatheringMs = 100

/** Beyond this many at once refusals are a flood, of which the log of the app shows enough already. */
const mostGathered = 200

export type RefusalToTell = RefusedApp & {
  kind: 'client_refused' | 'token_refused'
  cause: string
  requestId: string
  now: Date
}

export type RefusalLog = {
  /** Tells an app's developer why it was refused; never fails. */
  tell(refusal: RefusalToTell): Promise<void>
  /** The same some time after the answer, where the time that an answer takes must not say whether there is such an app. */
  tellLater(refusal: RefusalToTell): void
  /** Writes what is gathered, at once. Call it before the database is closed. */
  flush(): Promise<void>
}

/** Where exact causes go (oauth.md 3.9). A log that cannot be written refuses nobody otherwise than they were. */
export function createRefusalLog(options: { database: Database; random: Random; log: Logger }): RefusalLog {
  const { database, random, log } = options
  let gathered: RefusalToTell[] = []
  let timer: NodeJS.Timeout | undefined

  async function tell({ triedSecretHash, ...event }: RefusalToTell) {
    try {
      const name = triedSecretHash && (await findSecretName(database, event.appId, triedSecretHash))
      const cause = name === undefined ? event.cause : `${event.cause} It is the retired or expired secret "${name}".`
      await recordAppEvent(database, { ...event, cause, random })
    } catch (error) {
      log.warn({ err: error, requestId: event.requestId }, 'why an app was refused could not be written')
    }
  }

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    const refusals = gathered
    gathered = []
    for (const refusal of refusals) await tell(refusal)
  }

  return {
    tell,
    tellLater(refusal) {
      if (gathered.length >= mostGathered) return
      gathered.push(refusal)
      timer ??= setTimeout(() => void flush(), gatheringMs).unref()
    },
    flush,
  }
}

import type { Logger } from 'pino'
import { recordAppEvent, recordEventsOfApps } from '../../oauth-apps/events/app-event-store.ts'
import type { Random } from '../../platform/random.ts'
import type { Database } from '../../tables/tables.ts'
import { findSecretNames } from './client-secret-store.ts'
import type { RefusedApp } from './token-errors.ts'

/** Long enough that the writing slows down anybody's request rather than the next of the same sender. */
const gatheringMs = 100

/** Beyond this many at once refusals are a flood, of which the log of the app shows enough already. */
const maxGathered = 200
const maxGatheredOfApp = 20

export type RefusalToLog = RefusedApp & {
  kind: 'client_refused' | 'token_refused'
  cause: string
  requestId: string
  now: Date
}

export type RefusalLog = {
  /** Tells an app's developer why it was refused; never fails. */
  tell(refusal: RefusalToLog): Promise<void>
  /**
   * The same some time after the answer, where the time that an answer takes must not say whether there is such an app.
   * What is told of no app at all takes the same statements, and leaves no line.
   */
  logLater(refusal: RefusalToLog): void
  /** Writes what is gathered, at once. Call it before the database is closed. */
  flush(): Promise<void>
}

/** Where exact causes go (oauth.md 3.9). A log that cannot be written refuses nobody otherwise than they were. */
export function createRefusalLog(options: { database: Database; random: Random; log: Logger }): RefusalLog {
  const { database, random, log } = options
  const told = 'why an app was refused could not be written'
  let gathered: RefusalToLog[] = []
  let timer: NodeJS.Timeout | undefined

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    const refusals = gathered
    gathered = []
    if (refusals.length === 0) return
    try {
      const names = await findSecretNames(database, refusals.flatMap(triedSecretOf))
      const nameOf = ({ appId, triedSecretHash }: RefusalToLog) =>
        names.find((one) => one.appId === appId && triedSecretHash?.equals(one.secretHash))?.name
      const events = refusals.map(({ triedSecretHash, ...event }) => {
        const name = nameOf({ ...event, ...(triedSecretHash && { triedSecretHash }) })
        const cause = name === undefined ? event.cause : `${event.cause} It is the retired or expired secret "${name}".`
        return { ...event, cause, random }
      })
      await recordEventsOfApps(database, events)
    } catch (error) {
      log.warn({ err: error }, told)
    }
  }

  return {
    async tell({ triedSecretHash: _, ...event }) {
      try {
        await recordAppEvent(database, { ...event, random })
      } catch (error) {
        log.warn({ err: error, requestId: event.requestId }, told)
      }
    },
    logLater(refusal) {
      const ofApp = gathered.filter(({ appId }) => appId === refusal.appId)
      if (gathered.length >= maxGathered || ofApp.length >= maxGatheredOfApp) return
      gathered.push(refusal)
      timer ??= setTimeout(() => void flush(), gatheringMs).unref()
    },
    flush,
  }
}

const triedSecretOf = ({ appId, triedSecretHash }: RefusalToLog) =>
  triedSecretHash === undefined ? [] : [{ appId, secretHash: triedSecretHash }]

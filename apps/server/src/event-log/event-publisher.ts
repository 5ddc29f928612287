import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../platform/database/database.ts'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import { type OnPublished, publishEvents } from './publish-events.ts'

/** Events are readable this late at most; an idle instance costs the database five indexed reads a second. */
const publishEveryMs = 200

/** A failure lasts longer than a moment. */
const retryMs = 2_000

type EventPublisher = {
  /** Finish the batch that is under way, and publish no more. */
  stop(): Promise<void>
}

type PublisherOptions = {
  database: Database
  log: Logger
  databaseFailures: DatabaseFailureLog
  onPublished: OnPublished
}

/** Publish events as long as the instance runs. While the database is unavailable, they wait. */
export function startEventPublisher({
  database,
  log,
  databaseFailures,
  onPublished,
}: PublisherOptions): EventPublisher {
  const stopping = new AbortController()

  async function run() {
    while (!stopping.signal.aborted) {
      let pauseMs = publishEveryMs
      try {
        await publishEvents(database, onPublished)
      } catch (error) {
        if (!databaseFailures.report(error)) log.warn({ err: error }, 'could not publish events; they wait')
        pauseMs = retryMs
      }
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

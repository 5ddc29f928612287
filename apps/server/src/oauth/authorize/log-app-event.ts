import type { FastifyBaseLogger } from 'fastify'
import { type AppEvent, recordAppEvent } from '../../oauth-apps/events/app-event-store.ts'
import type { Database } from '../../tables/tables.ts'

/** Tells an app's developer what became of a request. A log that cannot be written changes no answer. */
export async function recordBeside(log: FastifyBaseLogger, database: Database, event: AppEvent): Promise<void> {
  try {
    await recordAppEvent(database, event)
  } catch (error) {
    log.warn({ err: error, requestId: event.requestId }, 'what became of an app’s request could not be written')
  }
}

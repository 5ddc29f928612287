import type { FastifyBaseLogger } from 'fastify'
import { type AppEvent, recordAppEvent } from '../../oauth-apps/events/app-event-store.ts'
import type { Database } from '../../tables/tables.ts'

/** Record an event for the app's developer. A failure is logged and does not change the reply. */
export async function logAppEvent(log: FastifyBaseLogger, database: Database, event: AppEvent): Promise<void> {
  try {
    await recordAppEvent(database, event)
  } catch (error) {
    log.warn({ err: error, requestId: event.requestId }, 'failed to record an event of an app')
  }
}

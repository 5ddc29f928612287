import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../migrations/tables.ts'
import { type AppEvent, recordAppEvent } from '../apps/app-event-store.ts'

/** Tells an app's developer what became of a request. A log that cannot be written changes no answer. */
export async function recordBeside(log: FastifyBaseLogger, database: Database, event: AppEvent): Promise<void> {
  try {
    await recordAppEvent(database, event)
  } catch (error) {
    log.warn({ err: error, requestId: event.requestId }, 'what became of an app’s request could not be written')
  }
}

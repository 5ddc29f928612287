import type { WithDatabase } from '../access/service.ts'
import { serveListEvents } from './list-events.ts'
import { serveListGrantEvents } from './list-grant-events.ts'

/** Register the endpoints of the event log. */
export function registerEventRoutes(service: WithDatabase): void {
  serveListEvents(service)
  serveListGrantEvents(service)
}

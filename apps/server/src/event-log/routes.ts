import type { WithDatabase } from '../access/service.ts'
import { serveListEvents } from './list-events.ts'

/** Register the endpoint of the event log. */
export function registerEventRoutes(service: WithDatabase): void {
  serveListEvents(service)
}

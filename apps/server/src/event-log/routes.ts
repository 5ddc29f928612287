import type { Service } from '../access/service.ts'
import { serveListEvents } from './list-events.ts'

/** Register the endpoint of the event log. */
export function registerEventRoutes(service: Service): void {
  serveListEvents(service)
}

import { registerEvents } from './events.ts'
import { registerUserEvents } from './user-events.ts'

/** Register the endpoints of the event log, and the stream that tells the pages of an account what has changed. */
export function registerEventLog(
  dependencies: Parameters<typeof registerEvents>[0] & Parameters<typeof registerUserEvents>[0],
): void {
  registerEvents(dependencies)
  registerUserEvents(dependencies)
}

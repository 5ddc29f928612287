import { registerEvents } from './events.ts'
import { registerNotifications } from './notifications.ts'
import { registerPushSubscriptions } from './push/push-subscriptions.ts'
import { registerUserEvents } from './user-events.ts'

/**
 * Register the endpoints of the event log, the notifications that are made from it, and the stream that tells the pages
 * of an account what has changed.
 */
export function registerEventLog(
  dependencies: Parameters<typeof registerEvents>[0] &
    Parameters<typeof registerUserEvents>[0] &
    Parameters<typeof registerNotifications>[0] &
    Parameters<typeof registerPushSubscriptions>[0],
): void {
  registerEvents(dependencies)
  registerUserEvents(dependencies)
  registerNotifications(dependencies)
  registerPushSubscriptions(dependencies)
}

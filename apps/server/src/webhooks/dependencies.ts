import type { Access } from '../access/access.ts'
import type { Dependencies as AccountsService } from '../accounts/dependencies.ts'
import type { Platform } from '../platform/platform.ts'
import type { WebhookFetch } from './webhook-receivers.ts'

/** What the module receives. Endpoints use the database of their handler's context, which may be a transaction. */
export type Dependencies = Pick<
  Platform,
  'config' | 'clock' | 'random' | 'encryption' | 'log' | 'database' | 'databaseFailures'
> &
  Pick<Access, 'serve'> &
  Pick<AccountsService, 'attemptLimits'> & {
    fetch: WebhookFetch
    /** In milliseconds; for durations. */
    monotonicNow: () => number
  }

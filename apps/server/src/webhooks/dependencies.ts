import type { Logger } from 'pino'
import type { WithDatabase } from '../access/service.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import type { WebhookFetch } from './webhook-receivers.ts'

/** What the module receives. Endpoints use the database of their handler's context, which may be a transaction. */
export type Dependencies = WithDatabase &
  Pick<AccountsService, 'attemptLimits'> & {
    log: Logger
    fetch: WebhookFetch
    /** In milliseconds; for durations. */
    monotonicNow: () => number
  }

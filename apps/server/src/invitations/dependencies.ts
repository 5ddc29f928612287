import type { Access } from '../access/access.ts'
import type { Mailer } from '../email/mail.ts'
import type { Platform } from '../platform/platform.ts'

/** What the module receives. Endpoints use the database of their handler's context, which may be a transaction. */
export type Dependencies = Pick<
  Platform,
  'config' | 'clock' | 'random' | 'encryption' | 'log' | 'database' | 'databaseFailures' | 'http'
> &
  Pick<Access, 'serve'> & { mailer: Mailer }

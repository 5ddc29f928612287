import type { Access } from '../access/access.ts'
import type { Platform } from '../platform/platform.ts'

/**
 * What the module receives. Endpoints use the database of their handler's context, which may be a transaction; this
 * database is for jobs, and for reads that several requests share.
 */
export type Dependencies = Pick<Platform, 'config' | 'clock' | 'random' | 'encryption' | 'database'> &
  Pick<Access, 'serve'>

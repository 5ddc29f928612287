import type { Access } from '../access/access.ts'
import type { Platform } from '../platform/platform.ts'

/** What the module receives. There is no database among them: tools call endpoints in the process. */
export type Dependencies = Pick<Platform, 'config' | 'clock' | 'encryption' | 'databaseFailures' | 'http'> &
  Pick<Access, 'authenticate' | 'runInTurn' | 'call' | 'recordAppRefusal'> & {
    /** The version of this software. */
    version: string
  }

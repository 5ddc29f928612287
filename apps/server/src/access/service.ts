import type { Platform } from '../platform/platform.ts'
import type { Serve } from './serve.ts'

/** A part of what the platform gives, and how to serve an endpoint. New code has a `Dependencies` type per module. */
export type Service = Pick<Platform, 'clock' | 'random' | 'encryption' | 'config' | 'databaseFailures'> & {
  serve: Serve
}

/** The dependencies of code that has no handler context, such as jobs and pages: `database` is the pool. */
export type WithDatabase<Dependencies = Service> = Dependencies & Pick<Platform, 'database'>

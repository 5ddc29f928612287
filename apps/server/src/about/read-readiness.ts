import { setTimeout as sleep } from 'node:timers/promises'
import { readReadiness } from '@parley/contract'
import { sql } from 'kysely'
import type { Service } from '../access/service.ts'
import { problem } from '../platform/problem.ts'

/** A load balancer asks every few seconds; an answer that is not there by then is a no. */
const longestWaitMs = 2_000

/** The database was migrated before the first request was taken, so that it answers is what is left to ask. */
export function serveReadReadiness({ serve }: Service, isDraining: () => boolean) {
  serve(readReadiness, async ({ database }) => {
    if (isDraining()) throw notReady('The service is shutting down.')
    const answered = sql`select 1`.execute(database).then(
      () => true,
      () => false,
    )
    const inTime = await Promise.race([answered, sleep(longestWaitMs, false, { ref: false })])
    if (!inTime) throw notReady('The database does not answer.')
    return { status: 'ready' }
  })
}

const notReady = (detail: string) => problem('unavailable', { detail, headers: { 'retry-after': '1' } })

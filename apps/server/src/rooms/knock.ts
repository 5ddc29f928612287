import type { Database } from '../../migrations/tables.ts'
import type { Caller } from '../access/caller.ts'
import { networkOf } from '../access/network.ts'
import type { AttemptLimits } from '../accounts/attempt-limits.ts'
import { ProblemError } from '../platform/problem.ts'
import { type DoorRow, findDoorOf } from './door-store.ts'

export type Knock =
  | { kind: 'there'; row: DoorRow }
  | { kind: 'not-found' }
  | { kind: 'paused'; retryAfterSeconds: number }

export type Visitor = { caller: Caller | undefined; address: string }

/**
 * Finds the meeting of a code. Codes that are none are counted, and past the limit no code is answered any more from
 * there, so that nobody finds out by trying which ones are.
 */
export async function knock(
  { database, attemptLimits }: { database: Database; attemptLimits: AttemptLimits },
  code: string,
  { caller, address }: Visitor,
): Promise<Knock> {
  const network = networkOf(address)
  try {
    await attemptLimits.require('unknownCodesOfNetwork', network)
    const row = await findDoorOf(database, code, caller)
    if (row !== undefined) return { kind: 'there', row }
    await attemptLimits.count('unknownCodesOfNetwork', network)
    return { kind: 'not-found' }
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'too_many_requests') throw error
    return { kind: 'paused', retryAfterSeconds: Number(error.headers['retry-after'] ?? 1) }
  }
}

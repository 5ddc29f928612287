import type { Caller } from '../../access/caller.ts'
import { networkOf } from '../../access/network.ts'
import type { AttemptLimits } from '../../accounts/sign-in/attempt-limits.ts'
import type { Database } from '../../tables/tables.ts'
import { countFailure, type FailureCounters, findPause } from './failed-attempts.ts'
import { findMeetingForEntry } from './find-meeting-for-entry.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'

export type FoundMeeting =
  /** `pauseSeconds`: too many unknown codes came from there, and only the people of this meeting are answered. */
  | { kind: 'found'; row: MeetingForEntry; pauseSeconds: number | undefined }
  | { kind: 'not-found' }
  | { kind: 'paused'; pauseSeconds: number }

export type Requester = { caller: Caller | undefined; address: string }

/**
 * Find the meeting or the own room of a code. Codes that do not exist are counted, of an account for the account and of
 * guests for their network: past the limit an existing code has to be answered like one that does not exist, so that
 * trying codes does not tell which do. The handler lets the people of that meeting through all the same.
 */
export async function findMeetingByCode(
  { database, attemptLimits }: { database: Database; attemptLimits: AttemptLimits },
  code: string,
  { caller, address }: Requester,
): Promise<FoundMeeting> {
  const counters: FailureCounters = [
    caller === undefined ? ['unknownCodesOfNetwork', networkOf(address)] : ['unknownCodesOfAccount', caller.accountId],
  ]
  const pauseSeconds = await findPause(attemptLimits, counters)
  const row = await findMeetingForEntry(database, code, caller)
  if (row !== undefined) return { kind: 'found', row, pauseSeconds }
  const pause = pauseSeconds ?? (await countFailure(attemptLimits, counters))
  return pause === undefined ? { kind: 'not-found' } : { kind: 'paused', pauseSeconds: pause }
}

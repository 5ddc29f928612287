import type { Caller } from '../../access/caller.ts'
import { networkOf } from '../../access/network.ts'
import type { AttemptLimits } from '../../accounts/sign-in/attempt-limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { countFailure, type FailureCounters, findPause } from './failed-attempts.ts'
import { findMeetingForEntry } from './find-meeting-for-entry.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'

type FoundMeeting =
  /** `pauseSeconds`: the requester has sent too many unknown codes, and only people of this meeting may enter. */
  | { kind: 'found'; row: MeetingForEntry; pauseSeconds: number | undefined }
  | { kind: 'not-found' }
  | { kind: 'paused'; pauseSeconds: number }

type Requester = { caller: Caller | undefined; address: string }

/**
 * Find the meeting or the own room of a code. Unknown codes are counted, for an account or for a guest's network. Past
 * the limit the handler must answer existing codes like unknown ones, so that guessing reveals nothing, except to
 * people of the meeting (docs/api-conventions.md, "Entering a meeting").
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

import { createBatcher } from '../platform/database/batch.ts'
import type { Database } from '../tables/tables.ts'
import { type FoundMeeting, findMeetings, type MeetingLookup } from './meeting-store.ts'

/** Reads of meetings that concurrent requests share. */
export type MeetingReads = {
  /** Find a meeting as `findMeeting` does; undefined when the viewer may not know it. */
  find(lookup: MeetingLookup): Promise<FoundMeeting | undefined>
}

/** `database` is the pool rather than that of one request's handler: one statement answers many requests. */
export function createMeetingReads(database: Database): MeetingReads {
  // A statement names accounts behind unverified addresses in all of its rows or in none.
  const findBy = (namesEveryAddress: boolean) =>
    createBatcher((lookups: readonly MeetingLookup[]) => findMeetings(database, lookups, namesEveryAddress))
  const [findNaming, findVerified] = [findBy(true), findBy(false)]
  return { find: (lookup) => (lookup.viewer.namesEveryAddress ? findNaming(lookup) : findVerified(lookup)) }
}

import { addMeeting } from '@parley/contract'
import { needsPin } from '@parley/rules/rooms/admission'
import type { Caller } from '../../access/caller.ts'
import { lockAccount } from '../../accounts/account/account-store.ts'
import { countAddedMeetings, insertAddedMeeting, maxAdded } from '../../meetings/lists/added-meeting-store.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { findOwnAdmission } from './admission-store.ts'
import { checkSecrets, decryptEntrySecrets, findMeetingByCode } from './entry-checks.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'
import { visitorRoleIn } from './visitor.ts'

/** Put a meeting on the caller's list by its link. Checks and limits on failures are the same as for entering. */
export function registerAddMeeting({ serve, clock, encryption, attemptLimits }: Dependencies) {
  serve(addMeeting, {
    handle: async ({ caller, params: { svcMeetId }, body: { pin }, request: { address }, database }) => {
      const found = await findMeetingByCode({ database, attemptLimits }, svcMeetId, { caller, address })
      if (found.kind === 'paused') throw slowDown(found.pauseSeconds)
      if (found.kind === 'not-found') throw problem('meeting_not_found')
      const { meeting } = found
      const visitor = visitorRoleIn(meeting, caller, null)
      const isMember = !needsPin(visitor)
      if (found.pauseSeconds !== undefined && !isMember) throw slowDown(found.pauseSeconds)
      // Own rooms are never listed (docs/rooms.md, "Enter").
      if (meeting.kind === 'own_room') throw problem('meeting_not_found')
      if (!isMember) await requirePin(caller, { meeting, pin, address, database })

      if (meeting.cancelledAt !== null) throw problem('meeting_cancelled', { detail: 'This meeting is cancelled.' })
      const { isRestrictedMeeting, colleagueOnly } = meeting.options
      if ((isRestrictedMeeting && !visitor.invited) || (colleagueOnly && !visitor.colleague))
        throw problem('not_invited')
      // The host, cohosts and invited accounts have it on their lists already.
      if (visitor.invited) return { status: 'The meeting is on your list.', meetingId: meeting.id }

      return inTransaction(database, async (tx) => {
        // The lock serializes additions, so that the count below is exact.
        await lockAccount(tx, caller.accountId)
        const isNew = await insertAddedMeeting(tx, {
          accountId: caller.accountId,
          meetingId: meeting.id,
          now: clock.now(),
        })
        if (isNew && (await countAddedMeetings(tx, caller.accountId)) > maxAdded) throw problem('too_many_added')
        return { status: 'The meeting is on your list.', meetingId: meeting.id }
      })
    },
  })

  type PinCheck = { meeting: MeetingForEntry; pin: string; address: string; database: Database }

  async function requirePin({ accountId }: Caller, { meeting, pin, address, database }: PinCheck): Promise<void> {
    const admission = await findOwnAdmission(database, meeting.id, { accountId, guestHash: null })
    const relation = admission === undefined ? 'stranger' : 'known'
    const attempter = { meetingId: meeting.id, address, relation, personId: accountId } as const
    const sent = { pin, hostKey: undefined }
    const check = await checkSecrets(attemptLimits, sent, decryptEntrySecrets(encryption, meeting), attempter)
    if (check.pin === 'paused') throw slowDown(check.pauseSeconds)
    if (check.pin !== 'right') throw problem('wrong_pin')
  }
}

const slowDown = (retryAfterSeconds: number) => problem('too_many_requests', { retryAfterSeconds })

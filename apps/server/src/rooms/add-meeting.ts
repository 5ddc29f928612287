import { addMeeting } from '@parley/contract'
import { lockAccount } from '../accounts/account-store.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { countAddedMeetings, insertAddedMeeting, mostAdded } from '../meetings/added-meeting-store.ts'
import { inTransaction } from '../platform/database.ts'
import { problem } from '../platform/problem.ts'
import { checkPin } from './check-pin.ts'
import { openDoorSecrets } from './door-secrets.ts'
import { knock } from './knock.ts'
import { tieAtDoor } from './tie-at-door.ts'

/** Puts a meeting on one's own list by its link. It takes what entering takes, under the same limits on failures. */
export function serveAddMeeting({ serve, clock, sealedBox, attemptLimits }: AccountsService) {
  serve(addMeeting, async ({ caller, params: { svcMeetId }, body: { pin }, request: { address }, database }) => {
    const found = await knock({ database, attemptLimits }, svcMeetId, { caller, address })
    if (found.kind === 'paused') throw slowDown(found.retryAfterSeconds)
    // Somebody's own room is on nobody's list.
    if (found.kind === 'not-found' || found.row.kind === 'own_room') throw problem('meeting_not_found')
    const { row } = found
    const place = { meetingId: row.id, address }
    const secrets = openDoorSecrets(sealedBox, row)
    const check = await checkPin(attemptLimits, { pin, hostKey: undefined }, secrets, place)
    if (check.pin === 'paused') throw slowDown(check.retryAfterSeconds)
    if (check.pin !== 'right') throw problem('wrong_pin')

    if (row.cancelledAt !== null) throw problem('meeting_cancelled', { detail: 'This meeting is cancelled.' })
    const { invited, colleague } = tieAtDoor(row, caller, null)
    const { isRestrictedMeeting, colleagueOnly } = row.options
    if ((isRestrictedMeeting && !invited) || (colleagueOnly && !colleague)) throw problem('not_invited')
    // It is on the list of whoever hosts it or is invited.
    if (invited) return { status: 'The meeting is on your list.', meetingId: row.id }

    return inTransaction(database, async (tx) => {
      // One after the other, so that they are counted right.
      await lockAccount(tx, caller.accountId)
      const isNew = await insertAddedMeeting(tx, { accountId: caller.accountId, meetingId: row.id, now: clock.now() })
      if (isNew && (await countAddedMeetings(tx, caller.accountId)) > mostAdded) throw problem('too_many_added')
      return { status: 'The meeting is on your list.', meetingId: row.id }
    })
  })
}

const slowDown = (retryAfterSeconds: number) =>
  problem('too_many_requests', { headers: { 'retry-after': String(retryAfterSeconds) } })

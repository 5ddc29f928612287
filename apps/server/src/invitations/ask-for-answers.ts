import { askForAnswers } from '@parley/contract'
import { gatheringMs, minAskIntervalMs } from '@parley/rules/invitations/mail-limits'
import { queueMails } from '../meetings/guest-mail-queue.ts'
import { lockInvitationsLeft } from '../meetings/mail-allowance.ts'
import { changeMeeting } from '../meetings/meeting-access.ts'
import { problem } from '../platform/http/problem.ts'
import { markAsked, markToAsk } from './delivery/guest-delivery-store.ts'
import type { Dependencies } from './dependencies.ts'
import { findDateToRespondTo } from './response-store.ts'

/** Register the endpoint with which a host asks those who have not answered. */
export function registerAskForAnswers(dependencies: Dependencies) {
  const { serve, clock, config } = dependencies
  serve(askForAnswers, {
    handle: ({ caller, params, request, database }) => {
      const access = { caller, request, endpoint: askForAnswers, meetingId: params.meetingId }
      return changeMeeting(database, dependencies, access, 'changePeople', async (tx, { row: meeting, actor }) => {
        const now = clock.now()
        if (meeting.cancelledAt !== null) throw problem('meeting_cancelled')
        const { next } = await findDateToRespondTo(tx, meeting, now)
        if (next === undefined) throw problem('meeting_over')

        // All transactions lock the account first, then the deliveries.
        await lockInvitationsLeft(tx, { config }, actor, now)
        const guests = await markAsked(tx, {
          meetingId: meeting.id,
          now,
          askedBefore: new Date(now.getTime() - minAskIntervalMs),
          mailedBefore: new Date(now.getTime() - gatheringMs),
        })
        await queueMails(tx, { config }, actor, { meetingId: meeting.id, guests, isRefusable: true, now })
        const keys = guests.map(({ addressKey }) => addressKey)
        await markToAsk(tx, meeting.id, keys)
        return { asked: guests.map(({ email }) => email).toSorted() }
      })
    },
  })
}

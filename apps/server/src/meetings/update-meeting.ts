import { updateMeeting } from '@parley/contract'
import { addressKey } from '@parley/rules/email-address'
import { readMeetingRequest } from '@parley/rules/meeting-request'
import type { Service } from '../access/service.ts'
import { inTransaction } from '../platform/database.ts'
import { problem } from '../platform/problem.ts'
import { requireMeetingId } from './meeting-id.ts'
import { lookerOf, rightsOf } from './meeting-looker.ts'
import { readMeetingValues, violationsOf } from './meeting-schedule.ts'
import { openSecrets } from './meeting-secrets.ts'
import { findMeeting, findSkipped, lockMeeting, replaceMeeting } from './meeting-store.ts'
import { etagOf, requireVersion } from './meeting-version.ts'
import { viewMeeting } from './meeting-view.ts'

export function serveUpdateMeeting({ serve, clock, sealedBox, config }: Service) {
  const { timeZoneAliases } = config
  serve(
    updateMeeting,
    async ({ caller, params, body, database, request, answer }) => {
      const now = clock.now()
      const looker = lookerOf(caller, config)
      const changed = await inTransaction(database, async (tx) => {
        const row = await lockMeeting(tx, requireMeetingId(params.meetingId), looker)
        if (row === undefined) throw problem('meeting_not_found')
        const rights = rightsOf(row, caller)
        if (!rights.change) throw problem('forbidden')
        if (row.cancelledAt !== null) throw problem('meeting_cancelled')
        requireVersion(request.ifMatch, row)

        const cohosts = row.people.filter((person) => person.cohost)
        const values = readMeetingValues(
          // A client that does not know cohosts must not take their rights away.
          { ...body, cohosts: body.cohosts ?? cohosts.map((person) => person.email) },
          {
            hostAddressKey: addressKey(row.host.email),
            profileTimeZone: caller.timeZone,
            timeZoneAliases,
            skipped: await findSkipped(tx, row.id),
          },
        )
        const kept = new Set(values.participants.filter((person) => person.cohost).map((person) => person.addressKey))
        if (!rights.removeCohost && cohosts.some((person) => !kept.has(person.addressKey))) {
          throw problem('forbidden', { detail: 'Only the host removes a cohost.' })
        }
        await replaceMeeting(tx, row.id, values, caller.accountId, now)
        return findMeeting(tx, row.id, looker)
      })
      if (changed === undefined) throw problem('meeting_not_found')
      answer.header('etag', etagOf(changed))
      const { pin } = openSecrets(sealedBox, changed.sealedSecrets)
      return viewMeeting(changed, pin, { caller, config })
    },
    ({ body, caller }) =>
      // Who hosts the meeting is not known yet; the deed judges again when it is.
      violationsOf(readMeetingRequest(body, { hostAddressKey: '', profileTimeZone: caller.timeZone, timeZoneAliases })),
  )
}

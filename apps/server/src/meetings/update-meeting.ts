import { updateMeeting } from '@parley/contract'
import { addressKey } from '@parley/rules/email-address'
import { planInvitations } from '@parley/rules/invitation-changes'
import { readMeetingRequest } from '@parley/rules/meeting-request'
import type { Service } from '../access/service.ts'
import { inTransaction } from '../platform/database.ts'
import { problem } from '../platform/problem.ts'
import { requireLettersLeft } from './invitation-quota.ts'
import { requireMeetingId } from './meeting-id.ts'
import { lookerOf, rightsOf } from './meeting-looker.ts'
import { draftNotice, insertNotice } from './meeting-notice.ts'
import { reminderOf, setReminder } from './meeting-reminder.ts'
import { invitedMeeting } from './meeting-row.ts'
import { readMeetingValues, violationsOf } from './meeting-schedule.ts'
import { openSecrets } from './meeting-secrets.ts'
import { findMeeting, findSkipped, lockMeeting, replaceMeeting } from './meeting-store.ts'
import { etagOf, requireVersion } from './meeting-version.ts'
import { viewMeeting } from './meeting-view.ts'
import { queueSettleRoom } from './settle-room-job.ts'

export function serveUpdateMeeting({ serve, clock, random, sealedBox, config }: Service) {
  const { timeZoneAliases } = config
  serve(
    updateMeeting,
    async ({ caller, params, query, body, database, request, answer }) => {
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
        const skipped = await findSkipped(tx, row.id)
        const values = readMeetingValues(
          {
            ...body,
            // A client that does not know cohosts must not take their rights away.
            cohosts: body.cohosts ?? cohosts.map((person) => person.email),
            reminderMinutes: body.reminderMinutes === undefined ? row.reminderMinutes : body.reminderMinutes,
          },
          {
            hostAddressKey: addressKey(row.host.email),
            profileTimeZone: caller.timeZone,
            timeZoneAliases,
            skipped,
          },
        )
        const kept = new Set(values.participants.filter((person) => person.cohost).map((person) => person.addressKey))
        if (!rights.removeCohost && cohosts.some((person) => !kept.has(person.addressKey))) {
          throw problem('forbidden', { detail: 'Only the host removes a cohost.' })
        }
        const { code } = row
        const { pin } = openSecrets(sealedBox, row.sealedSecrets)
        const former = { ...invitedMeeting({ ...row, participants: row.people }, skipped), code, pin }
        const meeting = { ...invitedMeeting(values, skipped), code, pin }
        const planned = planInvitations({ kind: 'updated', before: former, after: meeting }, now)
        const sequence = row.sequence + (planned.advancesSequence ? 1 : 0)
        const isMoved = planned.changed.some((field) => field === 'time' || field === 'rule')
        await replaceMeeting(tx, row.id, values, { modifiedBy: caller.accountId, sequence, asksAgain: isMoved, now })
        // A reminder that is just being due is not lost to a change of the topic.
        if (isMoved || values.reminderMinutes !== row.reminderMinutes) {
          await setReminder(tx, row.id, reminderOf(values, skipped, config, now))
        }
        // Whoever is not invited any more, or is another than they were, may be inside.
        const { isRestrictedMeeting, colleagueOnly, loggedInOnly } = values.options
        const othersHost = kept.size !== cohosts.length || cohosts.some((person) => !kept.has(person.addressKey))
        if (isRestrictedMeeting || colleagueOnly || loggedInOnly || othersHost) {
          await queueSettleRoom(tx, row.id, { changed: true })
        }
        if (query.sendUpdates !== 'none') {
          await requireLettersLeft(tx, { config }, caller.accountId, planned.letters.length, now)
          const draft = { sequence, actorId: caller.accountId, now, plan: planned, meeting, former }
          const people = [...row.people, ...values.participants]
          const notice = draftNotice({ random, sealedBox }, { ...draft, people })
          if (notice) await insertNotice(tx, row.id, notice)
        }
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

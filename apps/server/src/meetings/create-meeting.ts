import { createMeeting } from '@parley/contract'
import { planInvitations } from '@parley/rules/invitation-changes'
import type { Caller } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import { problem } from '../platform/problem.ts'
import { requireLettersLeft } from './invitation-quota.ts'
import { newMeetingCode } from './meeting-code.ts'
import { appOf, lookerOf } from './meeting-looker.ts'
import { draftNotice } from './meeting-notice.ts'
import { reminderOf } from './meeting-reminder.ts'
import { invitedMeeting, type MeetingRow } from './meeting-row.ts'
import { judgeMeetingRequest, readMeetingValues } from './meeting-schedule.ts'
import { newMeetingSecrets, sealSecrets } from './meeting-secrets.ts'
import { insertMeeting } from './meeting-store.ts'
import { etagOf } from './meeting-version.ts'
import { viewMeeting } from './meeting-view.ts'

/** With a million meetings a code is taken once in nine thousand tries. */
const mostCodeTries = 5

export function serveCreateMeeting({ serve, clock, random, sealedBox, config }: Service) {
  const contextOf = (caller: Caller) => ({
    hostAddressKey: caller.addressKey,
    profileTimeZone: caller.timeZone,
    timeZoneAliases: config.timeZoneAliases,
  })
  serve(
    createMeeting,
    async ({ caller, query, body, database, answer }) => {
      const now = clock.now()
      const values = readMeetingValues(body, contextOf(caller))
      const secrets = newMeetingSecrets(random)
      const meeting = {
        ...values,
        id: random.uuid(now),
        hostId: caller.accountId,
        appId: appOf(caller),
        sealedSecrets: sealSecrets(sealedBox, secrets),
        createdAt: now,
      }
      const { everyAddressConfirmed } = lookerOf(caller, config)
      const reminder = reminderOf(values, [], config, now)
      const told = { ...invitedMeeting(values, []), pin: secrets.pin }
      const planned = planInvitations({ kind: 'created', after: { ...told, code: '' } }, now)
      const plan = query.sendUpdates === 'none' ? { ...planned, letters: [] } : planned
      await requireLettersLeft(database, { config }, caller.accountId, plan.letters.length, now)
      let row: MeetingRow | undefined
      for (let tries = 0; row === undefined && tries < mostCodeTries; tries++) {
        const code = newMeetingCode(random)
        const notice = draftNotice(
          { random, sealedBox },
          {
            ...{ sequence: 0, actorId: caller.accountId, now, plan },
            ...{ meeting: { ...told, code }, people: values.participants },
          },
        )
        row = await insertMeeting(database, { ...meeting, code }, everyAddressConfirmed, { reminder, notice })
      }
      if (row === undefined) throw problem('unavailable', { headers: { 'retry-after': '1' } })

      answer.header('etag', etagOf(row))
      return {
        status: 'Meeting created successfully.',
        meetingDetails: viewMeeting(row, { caller, sealedBox, config }),
      }
    },
    ({ body, caller }) => judgeMeetingRequest(body, contextOf(caller)),
  )
}

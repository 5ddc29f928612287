import { createMeeting } from '@parley/contract'
import { planInvitations } from '@parley/rules/invitation-changes'
import { type ReadMeetingRequest, readMeetingRequest } from '@parley/rules/meeting-request'
import type { Caller } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import { problem } from '../platform/problem.ts'
import { insertMeeting } from './insert-meeting.ts'
import { requireLettersLeft } from './invitation-quota.ts'
import { newMeetingCode } from './meeting-code.ts'
import { appOf, lookerOf } from './meeting-looker.ts'
import { draftNotice } from './meeting-notice.ts'
import { reminderOf } from './meeting-reminder.ts'
import { invitedMeeting, type MeetingFacts } from './meeting-row.ts'
import { readMeetingValues, violationsOf } from './meeting-schedule.ts'
import { newMeetingSecrets, sealSecrets } from './meeting-secrets.ts'
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
  /** What the check has read is not read again by the deed. */
  const readings = new WeakMap<object, ReadMeetingRequest>()
  serve(
    createMeeting,
    async ({ caller, query, body, database, answer }) => {
      const now = clock.now()
      const values = readMeetingValues(body, contextOf(caller), readings.get(body))
      const secrets = newMeetingSecrets(random)
      const meeting = {
        ...values,
        id: random.uuid(now),
        hostId: caller.accountId,
        appId: appOf(caller),
        sealedSecrets: sealSecrets(sealedBox, secrets),
        createdAt: now,
      }
      const host = lookerOf(caller, config)
      const reminder = reminderOf(values, [], config, now)
      const told = { ...invitedMeeting(values, []), pin: secrets.pin }
      const planned = planInvitations({ kind: 'created', after: { ...told, code: '' } }, now)
      const plan = query.sendUpdates === 'none' ? { ...planned, letters: [] } : planned
      await requireLettersLeft(database, { config }, caller.accountId, plan.letters.length, now)
      let created: MeetingFacts | undefined
      for (let tries = 0; created === undefined && tries < mostCodeTries; tries++) {
        const code = newMeetingCode(random)
        const notice = draftNotice(
          { random, sealedBox },
          {
            ...{ sequence: 0, actorId: caller.accountId, now, plan },
            ...{ meeting: { ...told, code }, people: values.participants },
          },
        )
        created = await insertMeeting(database, { ...meeting, code }, host, { reminder, notice })
      }
      if (created === undefined) throw problem('unavailable', { headers: { 'retry-after': '1' } })

      answer.header('etag', etagOf(created))
      return {
        status: 'Meeting created successfully.',
        meetingDetails: viewMeeting(created, secrets.pin, { caller, config }),
      }
    },
    ({ body, caller }) => {
      const read = readMeetingRequest(body, contextOf(caller))
      readings.set(body, read)
      return violationsOf(read)
    },
  )
}

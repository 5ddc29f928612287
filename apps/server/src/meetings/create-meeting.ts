import { createMeeting } from '@parley/contract'
import { type ReadMeetingRequest, readMeetingRequest } from '@parley/rules/meeting-request'
import type { Caller } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import { problem } from '../platform/problem.ts'
import { newMeetingCode } from './meeting-code.ts'
import { appOf, lookerOf } from './meeting-looker.ts'
import type { MeetingFacts } from './meeting-row.ts'
import { readMeetingValues, violationsOf } from './meeting-schedule.ts'
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
  /** What the check has read is not read again by the deed. */
  const readings = new WeakMap<object, ReadMeetingRequest>()
  serve(
    createMeeting,
    async ({ caller, body, database, answer }) => {
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
      let created: MeetingFacts | undefined
      for (let tries = 0; created === undefined && tries < mostCodeTries; tries++) {
        created = await insertMeeting(database, { ...meeting, code: newMeetingCode(random) }, host)
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

import { createMeeting } from '@parley/contract'
import { guestsToNotify } from '@parley/rules/invitations/guests-to-notify'
import { type ReadMeetingRequest, readMeetingRequest } from '@parley/rules/meetings/meeting-request'
import type { Caller } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import { problem } from '../platform/http/problem.ts'
import { insertMeeting } from './insert-meeting.ts'
import { requireInvitationsLeft } from './invitation-quota.ts'
import { reminderOf } from './meeting-reminder.ts'
import { type MeetingFacts, seriesOf } from './meeting-row.ts'
import { readMeetingValues, violationsOf } from './meeting-schedule.ts'
import type { MeetingValues } from './meeting-store.ts'
import { etagOf } from './meeting-version.ts'
import { newMeetingCode } from './secrets/meeting-code.ts'
import { encryptSecrets, newMeetingSecrets } from './secrets/meeting-secrets.ts'
import { viewMeeting } from './view/meeting-view.ts'
import { appOf, viewerOf } from './view/meeting-viewer.ts'

/** With a million meetings, one generated code in nine thousand is taken. */
const maxCodeTries = 5

export function serveCreateMeeting({ serve, clock, random, encryption, config }: Service) {
  const contextOf = (caller: Caller) => ({
    hostAddressKey: caller.addressKey,
    profileTimeZone: caller.timeZone,
    timeZoneAliases: config.timeZoneAliases,
  })
  /** Passes the parsed request from the validator to the handler, so that it is parsed once. */
  const readings = new WeakMap<object, ReadMeetingRequest>()
  serve(createMeeting, {
    handle: async ({ caller, query, body, database, answer }) => {
      const now = clock.now()
      const values = readMeetingValues(body, contextOf(caller), readings.get(body))
      const secrets = newMeetingSecrets(random)
      const id = random.uuid(now)
      const meeting = {
        ...values,
        id,
        hostId: caller.accountId,
        appId: appOf(caller),
        sealedSecrets: encryptSecrets(encryption, id, secrets),
        createdAt: now,
      }
      const host = viewerOf(caller, config)
      const reminder = reminderOf(values, [], config, now)
      const guests = query.sendUpdates === 'none' ? [] : guestsOf(values, now)
      await requireInvitationsLeft(database, { config }, caller.accountId, guests.length, now)
      const mails = { senderId: caller.accountId, now, guests }
      let created: MeetingFacts | undefined
      for (let tries = 0; created === undefined && tries < maxCodeTries; tries++) {
        const code = newMeetingCode(random)
        created = await insertMeeting(database, { ...meeting, code }, host, { reminder, mails })
      }
      if (created === undefined) throw problem('unavailable', { retryAfterSeconds: 1 })

      answer.header('etag', etagOf(created))
      return {
        status: 'Meeting created successfully.',
        meetingDetails: viewMeeting(created, secrets.pin, { caller, config }),
      }
    },
    check: ({ body, caller }) => {
      const read = readMeetingRequest(body, contextOf(caller))
      readings.set(body, read)
      return violationsOf(read)
    },
  })
}

/** The people who get an email about a new meeting. */
function guestsOf(values: MeetingValues, now: Date) {
  const invited = values.participants.map(({ addressKey }) => addressKey)
  const change = { before: null, after: seriesOf(values, []), isContentChanged: true, invited, recipients: [] }
  const concerned = new Set(guestsToNotify(change, now))
  return values.participants.filter(({ addressKey }) => concerned.has(addressKey))
}

import { createMeeting } from '@parley/contract'
import { guestsToNotify } from '@parley/rules/invitations/guests-to-notify'
import { noExceptions } from '@parley/rules/recurrence/recurrence'
import type { Service } from '../access/service.ts'
import { newMeetingCode } from '../accounts/account/access-codes.ts'
import { problem } from '../platform/http/problem.ts'
import { insertMeeting } from './insert-meeting.ts'
import { requireInvitationsLeft } from './invitation-quota.ts'
import { reminderOf } from './meeting-reminder.ts'
import { type MeetingFacts, seriesOf } from './meeting-row.ts'
import type { MeetingValues } from './meeting-store.ts'
import { etagOf } from './meeting-version.ts'
import { readRequestedMeeting, toMeetingValues } from './requested-meeting.ts'
import { encryptSecrets, newMeetingSecrets } from './secrets/meeting-secrets.ts'
import { viewMeeting } from './view/meeting-view.ts'
import { appOf, viewerOf } from './view/meeting-viewer.ts'

/** With a million meetings, one generated code in nine thousand is taken. */
const maxCodeTries = 5

export function serveCreateMeeting({ serve, clock, random, encryption, config }: Service) {
  serve(createMeeting, {
    read: ({ body, caller }) =>
      readRequestedMeeting(body, {
        hostAddressKey: caller.addressKey,
        profileTimeZone: caller.timeZone,
        timeZoneAliases: config.timeZoneAliases,
      }),
    handle: async ({ caller, query, input: requested, database, answer }) => {
      const now = clock.now()
      const values = toMeetingValues(requested, noExceptions)
      const secrets = newMeetingSecrets(random)
      const id = random.uuid(now)
      const meeting = {
        ...values,
        id,
        hostId: caller.accountId,
        appId: appOf(caller),
        sealedSecrets: encryptSecrets(encryption, id, secrets),
        replyAddress: config.replyAddress ?? null,
        createdAt: now,
      }
      const host = viewerOf(caller, config)
      const reminder = reminderOf(values, noExceptions, config, now)
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
  })
}

/** The people who get an email about a new meeting. */
function guestsOf(values: MeetingValues, now: Date) {
  const invited = values.participants.map(({ addressKey }) => addressKey)
  const change = {
    before: null,
    after: seriesOf(values, noExceptions),
    isContentChanged: true,
    invited,
    recipients: [],
  }
  const concerned = new Set(guestsToNotify(change, now))
  return values.participants.filter(({ addressKey }) => concerned.has(addressKey))
}

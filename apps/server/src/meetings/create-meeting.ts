import { createMeeting } from '@parley/contract'
import { noExceptions } from '@parley/rules/recurrence/recurrence'
import { actorOf } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import { inTransaction } from '../platform/database/database.ts'
import { insertMeeting } from './insert-meeting.ts'
import { reminderOf } from './meeting-reminder.ts'
import { etagOf } from './meeting-version.ts'
import { guestsOfNewMeeting } from './notify-guests.ts'
import { readRequestedMeeting, toMeetingValues } from './requested-meeting.ts'
import { encryptSecrets, newMeetingSecrets } from './secrets/meeting-secrets.ts'
import { viewMeeting } from './view/meeting-view.ts'
import { appOf, rightsOf, viewerOf } from './view/meeting-viewer.ts'

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
        appId: appOf(caller),
        sealedSecrets: encryptSecrets(encryption, id, secrets),
        replyAddress: config.replyAddress ?? null,
        createdAt: now,
        continues: null,
      }
      const host = viewerOf(caller, config)
      const reminder = reminderOf(values, noExceptions, config, now)
      const guests = query.sendUpdates === 'none' ? [] : guestsOfNewMeeting(values, noExceptions, now)
      const created = await inTransaction(database, (tx) =>
        insertMeeting(tx, { config, random }, actorOf(caller), meeting, host, { reminder, mails: { now, guests } }),
      )
      answer.header('etag', etagOf(created))
      return {
        status: 'Meeting created successfully.',
        meetingDetails: viewMeeting(created, secrets.pin, { caller, config, rights: rightsOf(created, caller) }),
      }
    },
  })
}

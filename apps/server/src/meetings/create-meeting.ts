import { createMeeting } from '@parley/contract'
import { type MeetingValues, toMeetingValues } from '@parley/rules/meetings/update-plan'
import { type Exceptions, noExceptions } from '@parley/rules/recurrence/recurrence'
import { type Actor, actorOf } from '../access/caller.ts'
import { newMeetingCode } from '../accounts/account/access-codes.ts'
import { recordContacts, toContact } from '../accounts/contact-store.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import { shareBlocksOfHost } from './blocked-sender-store.ts'
import type { Dependencies } from './dependencies.ts'
import { guestsOfNewMeeting, queueMails } from './guest-mail-queue.ts'
import { countQuietInvitations } from './mail-allowance.ts'
import { appOf, etagOf, rightsOf, viewerOf } from './meeting-access.ts'
import { reserveQuota, textBytesOf } from './meeting-quota.ts'
import { reminderOf } from './meeting-reminder.ts'
import type { MeetingRow } from './meeting-row.ts'
import { encryptSecrets, newMeetingSecrets } from './meeting-secrets.ts'
import { authorsOf, insertMeetingRow, type NewMeeting } from './meeting-store.ts'
import { viewMeeting } from './meeting-view.ts'
import { readRequestedMeeting } from './requested-meeting.ts'

export function registerCreateMeeting({ serve, clock, random, encryption, config }: Dependencies) {
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
      const details = {
        namesEveryAddress: viewerOf(caller, config).namesEveryAddress,
        exceptions: noExceptions,
        notifies: query.sendUpdates !== 'none',
      }
      const created = await inTransaction(database, (tx) =>
        insertMeeting(tx, { config, random }, actorOf(caller), meeting, details),
      )
      answer.header('etag', etagOf(created))
      return {
        status: 'Meeting created successfully.',
        meetingDetails: viewMeeting(created, secrets.pin, { caller, config, rights: rightsOf(created, caller) }),
      }
    },
  })
}

/** With a million meetings, one generated code in nine thousand is taken. */
const maxCodeTries = 5

type MeetingToInsert = Omit<NewMeeting, 'code' | 'hostId' | 'actingGrantId' | 'textAuthors' | 'reminder'> &
  MeetingValues & {
    /** The series that this meeting continues, whose texts keep their authors. */
    series?: MeetingRow
  }

type InsertDetails = {
  /** Whether the reply names accounts behind unverified addresses. */
  namesEveryAddress: boolean
  exceptions: Exceptions
  notifies: boolean
}

/**
 * Insert a meeting with a new code, whose host is the account that the actor's mails name, and invite its guests.
 * @throws unavailable when every generated code was taken; too_many_invitations, quota_exceeded
 */
export async function insertMeeting(
  tx: Tx,
  { config, random }: Pick<Dependencies, 'config' | 'random'>,
  actor: Actor,
  { series, ...meeting }: MeetingToInsert,
  { namesEveryAddress, exceptions, notifies }: InsertDetails,
): Promise<MeetingRow> {
  const { participants, createdAt: now } = meeting
  // Quota, blocks, invitations: updates take their locks in this order, too.
  const added = { meetings: 1, participants: participants.length, textBytes: textBytesOf(meeting) }
  await reserveQuota(tx, config, actor.namedId, added)
  if (participants.length > 0) await shareBlocksOfHost(tx, actor.namedId)
  const inserted = await insertWithCode(tx, random, {
    ...meeting,
    hostId: actor.namedId,
    actingGrantId: actor.grantId,
    textAuthors: authorsOf(actor, meeting, series),
    reminder: reminderOf(meeting, exceptions, config, now),
    namesEveryAddress,
  })
  const guests = notifies ? guestsOfNewMeeting(meeting, exceptions, now) : []
  await countQuietInvitations(tx, { config }, actor, participants.length - guests.length, now)
  await queueMails(tx, { config }, actor, { meetingId: meeting.id, guests, isRefusable: true, now })
  const known = new Set(series?.people.map(({ addressKey }) => addressKey))
  const people = participants.filter(({ addressKey }) => !known.has(addressKey))
  await recordContacts(tx, actor.accountId, people.map(toContact), now)
  return inserted
}

type RowToInsert = Omit<Parameters<typeof insertMeetingRow>[1], 'code'>

async function insertWithCode(tx: Tx, random: Dependencies['random'], row: RowToInsert): Promise<MeetingRow> {
  for (let tries = 0; tries < maxCodeTries; tries++) {
    const inserted = await insertMeetingRow(tx, { ...row, code: newMeetingCode(random) })
    if (inserted !== undefined) return inserted
  }
  throw problem('unavailable', { retryAfterSeconds: 1 })
}

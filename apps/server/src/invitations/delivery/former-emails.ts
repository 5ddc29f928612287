import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { serviceActorFor } from '../../access/caller.ts'
import type { Service } from '../../access/service.ts'
import { queueDelivery, queueMails, queueReminders } from '../../meetings/guest-delivery.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { defineStatement, type RowOf } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { decryptReminderDate } from './meeting-state.ts'

const FormerName = Type.Object({ meetingId: Type.String(), addressKey: Type.String(), noticeId: Type.String() })
type FormerName = Static<typeof FormerName>

/**
 * The task of the previous release, whose jobs may still be queued. Remove it with the tables `meeting_letter` and
 * `meeting_notice` in the next release.
 */
export const formerEmailJob = defineJob('mail-meeting-letter', FormerName)

type FormerEmail = RowOf<typeof formerTypes>

const formerTypes = {
  ...pick(tables.meetingLetter, 'kind', 'email'),
  actorId: tables.meetingNotice.actorId,
  encryptedContent: 'bytea',
} as const

const takeStatement = defineStatement({
  name: 'take-former-email',
  parameters: { ...pick(tables.meetingLetter, 'meetingId', 'noticeId'), addressKey: 'text' },
  columns: formerTypes,
  text: (p) => sql`delete from meeting_letter l using meeting_notice n
  where n.id = l.notice_id and l.meeting_id = ${p.meetingId} and l.email_key = ${p.addressKey}
    and l.notice_id = ${p.noticeId}
    and l.sent_at is null and l.failed_at is null
  returning l.kind, l.email, n.actor_id, n.sealed_content as encrypted_content`,
})

/** Turn a mail that the previous release queued into a delivery to its guest. */
export function createFormerEmailTask({
  database,
  clock,
  encryption,
  config,
}: Pick<Service, 'clock' | 'encryption' | 'config'> & { database: Database }) {
  return formerEmailJob.handle(async (name) => {
    await inTransaction(database, async (tx) => {
      const [former] = await takeStatement.execute(tx, name)
      if (former === undefined) return
      if (former.kind === 'reminder') await wantReminder(tx, name, former)
      else await want(tx, name, former)
    })
  })

  async function wantReminder(tx: Tx, { meetingId, addressKey, noticeId }: FormerName, former: FormerEmail) {
    const { email, encryptedContent } = former
    const date = decryptReminderDate(encryption, { noticeId, encryptedContent })
    const host = await findHost(tx, meetingId)
    if (date === undefined || host === undefined) return
    const reminders = { meetingId, date, people: [{ addressKey, email }], now: clock.now() }
    await queueReminders(tx, { config }, serviceActorFor(host), reminders)
  }

  async function want(tx: Tx, { meetingId, addressKey }: FormerName, { email, actorId }: FormerEmail) {
    if (actorId === null) return queueDelivery(tx, { meetingId, addressKey })
    const host = await findHost(tx, meetingId)
    if (host === undefined) return
    const mails = { meetingId, guests: [{ addressKey, email }], isRefusable: false, now: clock.now() }
    await queueMails(tx, { config }, serviceActorFor(host, actorId), mails)
  }
}

const findHost = (tx: Tx, meetingId: string) =>
  tx.selectFrom('meeting').select('hostId as id').where('id', '=', meetingId).executeTakeFirst()

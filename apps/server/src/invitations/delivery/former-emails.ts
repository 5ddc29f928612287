import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import { type Static, Type } from 'typebox'
import type { Service } from '../../access/service.ts'
import { queueDelivery, wantMails, wantReminders } from '../../meetings/guest-delivery.ts'
import { inTransaction, statement } from '../../platform/database/database.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import { openReminderDate } from './meeting-state.ts'

const FormerName = Type.Object({ meetingId: Type.String(), addressKey: Type.String(), noticeId: Type.String() })
type FormerName = Static<typeof FormerName>

/**
 * The task of the previous release, whose jobs may still be queued. Remove it with the tables `meeting_letter` and
 * `meeting_notice` in the next release.
 */
export const formerEmailJob = defineJob('mail-meeting-letter', FormerName)

type FormerEmail = { kind: InvitationEmailKind; email: string; actorId: string | null; sealedContent: Buffer }

const takeStatement = statement<FormerEmail>(
  'take-former-letter',
  `delete from meeting_letter l using meeting_notice n
  where n.id = l.notice_id and l.meeting_id = $1 and l.email_key = $2 and l.notice_id = $3
    and l.sent_at is null and l.failed_at is null
  returning l.kind, l.email, n.actor_id as "actorId", n.sealed_content as "sealedContent"`,
)

/** Turn a mail that the previous release queued into a delivery to its guest. */
export function createFormerEmailTask({
  database,
  clock,
  encryption,
}: Pick<Service, 'clock' | 'encryption'> & { database: Database }) {
  return formerEmailJob.handle(async (name) => {
    await inTransaction(database, async (tx) => {
      const [former] = await takeStatement(tx, [name.meetingId, name.addressKey, name.noticeId])
      if (former === undefined) return
      if (former.kind === 'reminder') await wantReminder(tx, name, former)
      else await want(tx, name, former)
    })
  })

  async function wantReminder(tx: Tx, { meetingId, addressKey, noticeId }: FormerName, former: FormerEmail) {
    const { email, sealedContent } = former
    const date = openReminderDate(encryption, { noticeId, sealedContent })
    if (date !== undefined) await wantReminders(tx, meetingId, date, [{ addressKey, email }])
  }

  async function want(tx: Tx, { meetingId, addressKey }: FormerName, { email, actorId }: FormerEmail) {
    if (actorId === null) return queueDelivery(tx, { meetingId, addressKey })
    const guests = [{ addressKey, email }]
    await wantMails(tx, meetingId, { senderId: actorId, now: clock.now(), guests })
  }
}

import { sql } from 'kysely'
import { notifyOwnersOfWaiting } from '../event-log/notification-store.ts'
import { meetingEventData } from '../event-log/record-event.ts'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { tables } from '../platform/database/tables.ts'

type ParticipantEventType = `participant.${'waiting' | 'admitted' | 'denied' | 'joined' | 'left'}`

/** An address is named as apps see it: that of an account that has proven it. */
const recordStatement = defineStatement({
  name: 'record-participant-events',
  parameters: { type: 'text', admissionIds: 'uuid[]', actingGrantId: tables.event.actingGrantId, now: 'timestamptz' },
  text: (p) => sql`insert into event (type, occurred_at, account_id, subject, meeting_id, acting_grant_id, data)
    select ${p.type}, ${p.now}, m.host_id, m.id, m.id, ${p.actingGrantId}, ${meetingEventData(
      sql`m`,
      sql`jsonb_build_object('participant', jsonb_build_object('admissionId', a.id, 'name', a.name, 'email',
        case when c.email_verified_at is not null then c.email end, 'role', a.role))`,
    )}
    from admission a join meeting m on m.id = a.meeting_id left join account c on c.id = a.account_id
    where a.id = any (${p.admissionIds}) order by a.id`,
})

/**
 * Record an event of each of these admissions, in the transaction of the change and after it. Own rooms have no events:
 * their owners are notified of people who wait.
 * @param actingGrantId the grant by which an app asked for it; null if a person or the media engine did
 */
export async function recordParticipantEvents(
  tx: Tx,
  type: ParticipantEventType,
  admissionIds: readonly string[],
  actingGrantId: string | null,
  now: Date,
): Promise<void> {
  if (admissionIds.length === 0) return
  await recordStatement.execute(tx, { type, admissionIds, actingGrantId, now })
  if (type === 'participant.waiting') await notifyOwnersOfWaiting(tx, admissionIds, now)
}

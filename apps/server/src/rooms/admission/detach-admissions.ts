import { sql } from 'kysely'
import type { Service } from '../../access/service.ts'
import type { AccessEnding } from '../../accounts/accounts-service.ts'
import { queueReconcileRoom } from '../../meetings/reconcile-room-job.ts'

/**
 * Remove an account from every room that it is in or waits for, and withdraw the roles that its host keys gave to
 * others. Its admissions become those of a denied guest whose cookie does not exist: the owner, who asks anew, gets a
 * new admission, and earlier media tokens stop working. Attendance keeps its account.
 */
export const createDetachAdmissions =
  ({ random }: Pick<Service, 'random'>): AccessEnding =>
  async (tx, { id: accountId }, now) => {
    const secret = random.bytes(32)
    const detached = await tx
      .updateTable('admission')
      .set({
        accountId: null,
        grantId: null,
        grantedRole: null,
        state: 'denied',
        decidedAt: now,
        guestHash: sql<Buffer>`sha256(${secret}::bytea || convert_to(id::text, 'UTF8'))`,
      })
      .where('accountId', '=', accountId)
      .returning(['meetingId', 'leftAt'])
      .execute()
    const demoted = await tx
      .updateTable('admission')
      .set({ grantedRole: null })
      .where('grantedRole', 'is not', null)
      .where('meetingId', 'in', (meetings) =>
        meetings.selectFrom('meeting').select('id').where('hostId', '=', accountId),
      )
      .returning(['meetingId', 'leftAt'])
      .execute()
    const open = [...detached, ...demoted].filter(({ leftAt }) => leftAt === null)
    for (const meetingId of new Set(open.map((admission) => admission.meetingId))) {
      await queueReconcileRoom(tx, meetingId, { changed: true })
    }
  }

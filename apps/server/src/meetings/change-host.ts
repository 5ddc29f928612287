import type { Service } from '../access/service.ts'
import { statement } from '../platform/database/database.ts'
import type { Tx } from '../tables/tables.ts'
import { countShards } from './meeting-store.ts'
import { queueReconcileRoom } from './reconcile-room-job.ts'
import { encryptSecrets, newMeetingSecrets, openSecrets } from './secrets/meeting-secrets.ts'

/** Lock a meeting to change its host. False if `hostId` no longer hosts it. */
export async function lockForNewHost(tx: Tx, meetingId: string, hostId: string): Promise<boolean> {
  const held = await tx
    .selectFrom('meeting')
    .select('id')
    .where('id', '=', meetingId)
    .where('hostId', '=', hostId)
    .forUpdate()
    .executeTakeFirst()
  return held !== undefined
}

const changeStatement = statement(
  'change-host',
  `with changed as (
    update meeting set host_id = $2, modified_by = $2, modified_at = $3, sealed_secrets = $4, app_id = null,
      version = version + 1, sequence = sequence + 1, state_sequence = sequence + 1
    where id = $1 returning 1
  ) insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled)
    select host.id, pg_backend_pid() % ${countShards}, host.change, 0
    from changed, (values ($2::uuid, 1), ($5::uuid, -1)) as host (id, change)
    on conflict (host_id, shard) do update set active = hosted.active + excluded.active`,
)

/**
 * Give a meeting, which the caller has locked, to another host. The earlier host key and host PIN stop working, and the app
 * that created the meeting gets no access through the new host.
 */
export async function changeHost(
  tx: Tx,
  { random, encryption }: Pick<Service, 'random' | 'encryption'>,
  { meetingId, hostId, newHostId, now }: { meetingId: string; hostId: string; newHostId: string; now: Date },
): Promise<void> {
  const { sealedSecrets } = await tx
    .selectFrom('meeting')
    .select('sealedSecrets')
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
  const { pin } = openSecrets(encryption, { id: meetingId, sealedSecrets })
  const renewed = encryptSecrets(encryption, meetingId, { ...newMeetingSecrets(random), pin })
  await changeStatement(tx, [meetingId, newHostId, now, renewed, hostId])
  await queueReconcileRoom(tx, meetingId, { changed: true })
}

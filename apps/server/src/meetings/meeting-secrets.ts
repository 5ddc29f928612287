import { sql } from 'kysely'
import { newPin } from '../accounts/account/access-codes.ts'
import type { OnAccessRevoked } from '../accounts/dependencies.ts'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, tables } from '../platform/database/tables.ts'
import type { Encryption } from '../platform/encryption.ts'
import type { Random } from '../platform/random.ts'
import type { Dependencies } from './dependencies.ts'

type MeetingSecrets = {
  pin: string
  /** The key that makes its bearer the host. */
  roomKey: string
  /** The host PIN, for devices with digits only, such as phones and room systems. */
  hostPin: string
}

const purpose = 'meeting secrets'

export const newMeetingSecrets = (random: Random): MeetingSecrets => ({
  pin: newPin(random),
  roomKey: random.bytes(32).toString('base64url'),
  hostPin: String(random.below(100_000_000)).padStart(8, '0'),
})

/** Encrypted secrets are bound to the meeting, so that copying one meeting's row to another does not disclose them. */
export const encryptSecrets = (encryption: Encryption, meetingId: string, secrets: MeetingSecrets): Buffer =>
  encryption.encrypt(JSON.stringify(secrets), purpose, meetingId)

export const decryptSecrets = (
  encryption: Encryption,
  meeting: { id: string; sealedSecrets: Buffer },
): MeetingSecrets => JSON.parse(encryption.decrypt(meeting.sealedSecrets, purpose, meeting.id))

/** A few milliseconds of work for each statement. */
const batchSize = 500

/** An occurrence can be entered until a day after its end (docs/rooms.md, "Enter"). */
const openAfterEndMs = 24 * 60 * 60 * 1000

const findSecretsStatement = defineStatement({
  name: 'find-secrets-of-host',
  parameters: { hostId: tables.meeting.hostId, openSince: 'timestamptz', after: 'uuid' },
  columns: pick(tables.meeting, 'id', 'sealedSecrets'),
  text: (p) => sql`select id, sealed_secrets from meeting
   where host_id = ${p.hostId} and over_at > ${p.openSince} and cancelled_at is null and id > ${p.after}
   order by id limit ${sql.lit(batchSize)} for update`,
})

const renewSecretsStatement = defineStatement({
  name: 'renew-host-secrets',
  parameters: { ids: 'uuid[]', encrypted: 'bytea[]' },
  text: (p) => sql`update meeting set sealed_secrets = renewed.encrypted
   from unnest(${p.ids}, ${p.encrypted}) as renewed (id, encrypted) where meeting.id = renewed.id`,
})

const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Renew the host key and the host PIN of every meeting that an account hosts, so that people who know the earlier ones
 * cannot enter as host. The meeting's PIN, its links and its version do not change.
 */
export const createRenewHostSecrets =
  (dependencies: Pick<Dependencies, 'random' | 'encryption'>): OnAccessRevoked =>
  async (tx, { id: hostId }, now) => {
    const openSince = new Date(now.getTime() - openAfterEndMs)
    let after: string | undefined = firstId
    while (after !== undefined) after = await renewBatch(tx, dependencies, { hostId, openSince, after })
  }

/** Renew one batch. Return the id after which to continue; undefined when all are done. */
async function renewBatch(
  tx: Tx,
  { random, encryption }: Pick<Dependencies, 'random' | 'encryption'>,
  { hostId, openSince, after }: { hostId: string; openSince: Date; after: string },
): Promise<string | undefined> {
  const rows = await findSecretsStatement.execute(tx, { hostId, openSince, after })
  const renewed = rows.map((row) => {
    const { pin } = decryptSecrets(encryption, row)
    return { id: row.id, encrypted: encryptSecrets(encryption, row.id, { ...newMeetingSecrets(random), pin }) }
  })
  if (renewed.length > 0) {
    await renewSecretsStatement.execute(tx, {
      ids: renewed.map(({ id }) => id),
      encrypted: renewed.map(({ encrypted }) => encrypted),
    })
  }
  return rows.length < batchSize ? undefined : rows.at(-1)?.id
}

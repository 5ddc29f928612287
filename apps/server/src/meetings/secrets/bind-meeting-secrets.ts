import { sql } from 'kysely'
import type { Logger } from 'pino'
import { Type } from 'typebox'
import type { Service, WithDatabase } from '../../access/service.ts'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { decryptSecrets, encryptSecrets } from './meeting-secrets.ts'

export const bindSecretsJob = defineJob('bind-meeting-secrets', Type.Unknown())

/** A few milliseconds of work, so that no meeting is locked for longer. */
const batchSize = 500

/** The predicate is that of the index `meeting_secrets_unbound`, which is empty once the work is done. */
const findStatement = defineStatement({
  name: 'find-unbound-secrets',
  parameters: { after: 'uuid' },
  columns: pick(tables.meeting, 'id', 'sealedSecrets'),
  text: (p) => sql`select id, sealed_secrets from meeting
   where get_byte(sealed_secrets, 0) = 1 and id > ${p.after}
   order by id limit ${sql.lit(batchSize)} for update skip locked`,
})

const bindStatement = defineStatement({
  name: 'bind-secrets',
  parameters: { ids: 'uuid[]', sealed: 'bytea[]' },
  text: (p) => sql`update meeting set sealed_secrets = bound.sealed
   from unnest(${p.ids}, ${p.sealed}) as bound (id, sealed) where meeting.id = bound.id`,
})

const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Encrypt secrets again that are not bound to their meeting yet (docs/decisions/0050). Neither the version nor the ETag
 * of a meeting changes. Runs at the start and each hour, because an instance of an earlier version may run on for a
 * while; when all are bound, it reads one empty index.
 */
export const createBindSecretsTask = (dependencies: Pick<WithDatabase, 'database' | 'encryption'> & { log: Logger }) =>
  bindSecretsJob.handle(async () => {
    let after: string | undefined = firstId
    while (after !== undefined) {
      const from: string = after
      after = await inTransaction(dependencies.database, (tx) => bindBatch(tx, dependencies, from))
    }
  })

/** Returns the id after which to continue; undefined when all are done. */
async function bindBatch(
  tx: Tx,
  { encryption, log }: { encryption: Service['encryption']; log: Logger },
  after: string,
) {
  const rows = await findStatement.execute(tx, { after })
  const bound = rows.flatMap((row) => {
    try {
      return [{ id: row.id, sealed: encryptSecrets(encryption, row.id, decryptSecrets(encryption, row)) }]
    } catch (error) {
      // A row that cannot be decrypted, because of a wrong SECRET_KEY or damage, must not stop the others.
      log.error({ err: error, meetingId: row.id }, 'the secrets of a meeting cannot be read')
      return []
    }
  })
  if (bound.length > 0) {
    await bindStatement.execute(tx, { ids: bound.map(({ id }) => id), sealed: bound.map(({ sealed }) => sealed) })
  }
  return rows.length < batchSize ? undefined : rows.at(-1)?.id
}

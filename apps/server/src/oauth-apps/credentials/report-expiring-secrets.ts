import { sql } from 'kysely'
import { Type } from 'typebox'
import { recordAppLogEvent } from '../../event-log/record-event.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Long enough to replace a secret in every copy of a program. docs/events.md names it. */
const noticeMs = 14 * 24 * 60 * 60 * 1_000

/** Each is a statement in one transaction; the next hour reports the rest. */
const maxReported = 1_000

export const reportExpiringSecretsJob = defineJob('report-expiring-secrets', Type.Unknown())

const reportStatement = defineStatement({
  name: 'mark-expiring-secrets',
  parameters: { now: 'timestamptz', until: 'timestamptz' },
  columns: {
    secretId: 'uuid',
    secretName: 'text',
    ...pick(tables.appSecret, 'sandbox', 'expiresAt', 'appId', 'name'),
    ownerId: tables.app.ownerId,
  },
  text: (p) => sql`update app_secret s set expiry_reported_at = ${p.now}
    from app a join app_revision v on v.app_id = a.id and v.number = coalesce(a.live_revision, a.draft_revision)
    where a.id = s.app_id and a.deleted_at is null and s.id in (
      select id from app_secret where expires_at > ${p.now} and expires_at <= ${p.until} and retired_at is null
        and expiry_reported_at is null and not for_playground
      order by expires_at limit ${sql.lit(maxReported)} for update skip locked)
    returning s.id as secret_id, s.name as secret_name, s.sandbox, s.expires_at, a.id as app_id,
      v.name, a.owner_id`,
})

/**
 * Record an event for each client secret that expires within two weeks: once for each secret. No program has that of
 * the Playground.
 */
export const reportExpiringSecrets = (database: Database, now: Date): Promise<void> =>
  inTransaction(database, async (tx) => {
    const until = new Date(now.getTime() + noticeMs)
    for (const { ownerId, expiresAt, ...secret } of await reportStatement.execute(tx, { now, until })) {
      // The statement selects those with an expiry only; the column alone does not say so.
      if (expiresAt === null) continue
      const data = { ...secret, expiresOn: expiresAt.toISOString() }
      await recordAppLogEvent(tx, { type: 'secret.expiring', ownerId, data, now })
    }
  })

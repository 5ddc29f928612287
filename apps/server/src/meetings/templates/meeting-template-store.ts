import { type MeetingTemplateContent, maxMeetingTemplates } from '@parley/contract'
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { tables } from '../../platform/database/tables.ts'
import { isUuid } from '../../platform/database/uuid.ts'

type NewTemplate = { id: string; accountId: string; name: string; content: MeetingTemplateContent; now: Date }

const columns = ['id', 'name', 'content', 'createdAt', 'modifiedAt'] as const

/** List the templates of an account by name, without their content. */
export const listTemplates = (database: Database, accountId: string) =>
  database
    .selectFrom('meetingTemplate')
    .select(['id', 'name', 'createdAt', 'modifiedAt'])
    .where('accountId', '=', accountId)
    .orderBy('name')
    .orderBy('id')
    .execute()

/** Changes of an account's templates take turns, so that their limits hold. */
export const lockTemplates = (tx: Tx, accountId: string) =>
  tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()

const bytesStatement = defineStatement({
  name: 'find-template-bytes',
  parameters: { accountId: tables.meetingTemplate.accountId },
  columns: { bytes: 'bigint' },
  text: (p) => sql`select coalesce(sum(octet_length(content::text)), 0)::bigint as bytes
    from meeting_template where account_id = ${p.accountId}`,
})

/** Find how many bytes the templates of an account take, texts and participants together. */
export async function findTemplateBytes(tx: Tx, accountId: string): Promise<number> {
  const [found] = await bytesStatement.execute(tx, { accountId })
  return found?.bytes ?? 0
}

/** Insert a template. Return undefined if the account has as many as it can have. The caller holds `lockTemplates`. */
export async function insertTemplate(tx: Tx, { now, content, ...template }: NewTemplate) {
  const { accountId } = template
  if ((await listTemplates(tx, accountId)).length >= maxMeetingTemplates) return undefined
  return tx
    .insertInto('meetingTemplate')
    .values({ ...template, content: JSON.stringify(content), createdAt: now, modifiedAt: now })
    .returning(columns)
    .executeTakeFirst()
}

/** Find a template of an account. */
export async function findTemplate(database: Database, accountId: string, id: string) {
  if (!isUuid(id)) return undefined
  return database
    .selectFrom('meetingTemplate')
    .select(columns)
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
}

/** `findTemplate` with a row lock until the transaction ends. */
export async function lockTemplate(tx: Tx, accountId: string, id: string) {
  if (!isUuid(id)) return undefined
  return tx
    .selectFrom('meetingTemplate')
    .select(columns)
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
}

export const updateTemplate = (tx: Tx, { id, accountId, name, content, now }: NewTemplate) =>
  tx
    .updateTable('meetingTemplate')
    .set({ name, content: JSON.stringify(content), modifiedAt: now })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .returning(columns)
    .executeTakeFirst()

/** Delete a template. Return false if there is none. */
export async function deleteTemplate(database: Database, accountId: string, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const { numDeletedRows } = await database
    .deleteFrom('meetingTemplate')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Delete all templates of an account. */
export const deleteTemplatesOfAccount = (tx: Tx, accountId: string) =>
  tx.deleteFrom('meetingTemplate').where('accountId', '=', accountId).execute()

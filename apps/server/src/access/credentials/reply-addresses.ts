import { sql } from 'kysely'
import { defineStatement, type Fragment, type Parameter } from '../../platform/database/define-statement.ts'
import type { Database, Tx } from '../../tables/tables.ts'

/** The generation of the reply addresses of one guest of one meeting, as a text column. */
export const replyGenerationText = (meetingId: Fragment | Parameter, emailKey: Fragment | Parameter): Fragment =>
  sql`(coalesce((select generation from reply_generation where meeting_id = ${meetingId} and email_key = ${emailKey}), 0)
    || '.' || coalesce((select reply_generation from account where email_key = ${emailKey}), 0))`

const generationStatement = defineStatement({
  name: 'find-reply-generation',
  parameters: { meetingId: 'uuid', addressKey: 'text' },
  columns: { replyGeneration: 'text' },
  text: (p) => sql`select ${replyGenerationText(p.meetingId, p.addressKey)} as "replyGeneration"`,
})

/** Find the generation of the reply addresses of a guest. */
export async function findReplyGeneration(
  database: Database,
  guest: { meetingId: string; addressKey: string },
): Promise<string> {
  const [found] = await generationStatement.execute(database, guest)
  return found?.replyGeneration ?? ''
}

/** End all reply addresses that an account was given so far; later mails carry new ones. */
export const endReplyAddresses = (tx: Tx, accountId: string) =>
  tx
    .updateTable('account')
    .set((row) => ({ replyGeneration: row('replyGeneration', '+', 1) }))
    .where('id', '=', accountId)
    .execute()

/** End the reply addresses that one guest was given for one meeting. */
export const endReplyAddressesOf = (tx: Tx, guest: { meetingId: string; emailKey: string }) =>
  tx
    .insertInto('replyGeneration')
    .values(guest)
    .onConflict((conflict) =>
      conflict.columns(['meetingId', 'emailKey']).doUpdateSet({ generation: sql`reply_generation.generation + 1` }),
    )
    .execute()

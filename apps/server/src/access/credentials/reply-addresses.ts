import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import { defineStatement, type Fragment, type Parameter } from '../../platform/database/define-statement.ts'
import { tables } from '../../platform/database/tables.ts'

/** The generation of a guest whose addresses were never ended. */
export const firstReplyGeneration = '0.0'

/** The generation of the reply addresses and answer links of one guest of one meeting, as a text column. */
export const replyGenerationText = (meetingId: Fragment | Parameter, emailKey: Fragment | Parameter): Fragment =>
  sql`(coalesce((select generation from reply_generation where meeting_id = ${meetingId} and email_key = ${emailKey}), 0)
    || '.' || coalesce((select reply_generation from account where email_key = ${emailKey}), 0))`

const generationStatement = defineStatement({
  name: 'find-reply-generation',
  parameters: { meetingId: tables.replyGeneration.meetingId, addressKey: 'text' },
  columns: { replyGeneration: 'text' },
  text: (p) => sql`select ${replyGenerationText(p.meetingId, p.addressKey)} as reply_generation`,
})

/** Find the generation of the reply addresses of a guest. */
export async function findReplyGeneration(
  database: Database,
  guest: { meetingId: string; addressKey: string },
): Promise<string> {
  const [found] = await generationStatement.execute(database, guest)
  return found?.replyGeneration ?? ''
}

const generationsStatement = defineStatement({
  name: 'list-reply-generations',
  parameters: { meetingId: tables.participant.meetingId },
  columns: { addressKey: 'text', replyGeneration: 'text' },
  text: (p) => sql`select p.email_key as address_key,
      ${replyGenerationText(p.meetingId, sql`p.email_key`)} as reply_generation
    from participant p where p.meeting_id = ${p.meetingId}
      and (exists (select from reply_generation r where r.meeting_id = p.meeting_id and r.email_key = p.email_key)
        or exists (select from account a where a.email_key = p.email_key and a.reply_generation > 0))`,
})

/** List the guests of a meeting whose reply addresses were ended before, with their generations. */
export async function listReplyGenerations(database: Database, meetingId: string): Promise<Map<string, string>> {
  const rows = await generationsStatement.execute(database, { meetingId })
  return new Map(rows.map(({ addressKey, replyGeneration }) => [addressKey, replyGeneration]))
}

/** End all reply addresses of an account; later mails carry new addresses. */
export const endReplyAddresses = (tx: Tx, accountId: string) =>
  tx
    .updateTable('account')
    .set((row) => ({ replyGeneration: row('replyGeneration', '+', 1) }))
    .where('id', '=', accountId)
    .execute()

/** End the reply addresses of one guest for one meeting. */
export const endReplyAddressesOf = (tx: Tx, guest: { meetingId: string; emailKey: string }) =>
  tx
    .insertInto('replyGeneration')
    .values(guest)
    .onConflict((conflict) =>
      conflict.columns(['meetingId', 'emailKey']).doUpdateSet({ generation: sql`reply_generation.generation + 1` }),
    )
    .execute()

/**
 * End the reply addresses of an account that is closed. Closing the account removes its generation: raise each
 * meeting's generation instead, so that ended reply addresses stay ended.
 */
export async function endReplyAddressesOfClosed(
  tx: Tx,
  { emailKey, replyGeneration }: { emailKey: string; replyGeneration: number },
): Promise<void> {
  if (replyGeneration === 0) return
  await tx
    .insertInto('replyGeneration')
    .columns(['meetingId', 'emailKey'])
    .expression((build) =>
      build.selectFrom('participant').select(['meetingId', 'emailKey']).where('emailKey', '=', emailKey),
    )
    .onConflict((conflict) =>
      conflict.columns(['meetingId', 'emailKey']).doUpdateSet({ generation: sql`reply_generation.generation + 1` }),
    )
    .execute()
}

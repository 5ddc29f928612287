import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment, type Parameter } from '../platform/database/define-statement.ts'
import { tables } from '../platform/database/tables.ts'

const deleteStatement = defineStatement({
  name: 'delete-events-of-account',
  parameters: { accountId: tables.event.accountId },
  text: (p) => sql`with unpublished as (
      delete from event where position is null and account_id = ${p.accountId}
    ) delete from event where position is not null and account_id = ${p.accountId}`,
})

/** Update one part of the events, for which there is an index. The meetings that an account has entered are few. */
const eraseParticipantWhere = (part: Fragment, p: { accountId: Parameter }) =>
  sql`update event e set data = jsonb_set(e.data, '{participant}', e.data -> 'participant' || '{"name": "", "email": null}')
    from admission a
    where a.account_id = ${p.accountId} and e.meeting_id = a.meeting_id and ${part}
      and e.data -> 'participant' ->> 'admissionId' = a.id::text`

const eraseParticipantStatement = defineStatement({
  name: 'erase-participant-in-events',
  parameters: { accountId: tables.event.accountId },
  text: (p) => sql`with unpublished as (${eraseParticipantWhere(sql`e.position is null`, p)})
    ${eraseParticipantWhere(sql`e.position is not null`, p)}`,
})

/** Delete the events of an account. */
export const deleteEventsOfAccount = (tx: Tx, accountId: string) => deleteStatement.execute(tx, { accountId })

/** Delete the name and the address of an account in the events of rooms that it has entered. */
export const eraseParticipantInEvents = (tx: Tx, accountId: string) =>
  eraseParticipantStatement.execute(tx, { accountId })

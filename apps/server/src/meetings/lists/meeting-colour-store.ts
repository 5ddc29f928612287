import type { MeetingColour } from '@parley/contract'
import { colourOf } from '@parley/rules/meetings/meeting-colour'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'

const chooseStatement = defineStatement({
  name: 'choose-meeting-colour',
  parameters: { ...pick(tables.meetingColour, 'accountId', 'meetingId', 'colour'), addressKey: 'text?' },
  columns: { meetingId: tables.meetingColour.meetingId },
  text: (p) => sql`insert into meeting_colour (account_id, meeting_id, colour)
    select ${p.accountId}, m.id, ${p.colour} from meeting m where m.id = ${p.meetingId} and (m.host_id = ${p.accountId}
      or exists (select from participant mine where mine.meeting_id = m.id and mine.email_key = ${p.addressKey})
      or exists (select from added_meeting a where a.meeting_id = m.id and a.account_id = ${p.accountId}))
    on conflict (account_id, meeting_id) do update set colour = excluded.colour
    returning meeting_id`,
})

type Choice = { accountId: string; addressKey: string | null; meetingId: string; colour: MeetingColour }

/** Store the colour of a meeting that is the person's own, by hosting, invitation or link. False for any other. */
export async function chooseColour(database: Database, choice: Choice): Promise<boolean> {
  return (await chooseStatement.execute(database, choice)).length > 0
}

const coloursStatement = defineStatement({
  name: 'list-meeting-colours',
  parameters: { accountId: tables.meetingColour.accountId, ids: 'uuid[]' },
  columns: { ...pick(tables.meeting, 'id', 'colourSeed'), ownColour: typed<MeetingColour | null>('text?') },
  text: (p) => sql`select m.id, m.colour_seed, c.colour as own_colour
    from meeting m left join meeting_colour c on c.meeting_id = m.id and c.account_id = ${p.accountId}
    where m.id = any(${p.ids})`,
})

/** Find the colours of meetings to a person. */
export async function findColours(
  database: Database,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MeetingColour>> {
  const rows = ids.length === 0 ? [] : await coloursStatement.execute(database, { accountId, ids: [...ids] })
  return new Map(rows.map((row) => [row.id, colourOf(row)]))
}

import { type EventType, eventTypeNames, maxChangedMeetings, type UserChanges, watchUser } from '@parley/contract'
import { sql } from 'kysely'
import type { Access } from '../access/access.ts'
import { createBatcher } from '../platform/database/batch.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment } from '../platform/database/define-statement.ts'
import { publish, type Topic, topicOf } from '../platform/database/topics.ts'
import type { Platform } from '../platform/platform.ts'

/** The topic that reports to the pages of an account that something that they show has changed. */
export const userTopic = (accountId: string) => topicOf('user', accountId)

/** Reports the same to the pages of all accounts, where naming each would be too many notifications. */
const everyUserTopic: Topic = topicOf('user', 'all')

/** A meeting with more accounts is rare, and each notification takes some bytes of a queue that all instances share. */
const maxNotifiedAccounts = 1_000

/**
 * A check reads what was published since the check before, which is at most 30 seconds ago. After more than this, pages
 * read everything again.
 */
const maxScannedEvents = 10_000

/** People who enter and leave are shown in the room itself, and counted by lists that ask for it. */
const reportedTypes = eventTypeNames.filter(
  (type) => type.startsWith('meeting.') || type === 'participant.responded' || type === 'invitation.failed',
)

const list = (types: readonly EventType[]) => sql.join(types.map((type) => sql.lit(type)))

/**
 * The meetings with reported events after a position: `everyone` tells changes that all participants see from those that
 * only hosts see; `removes`, whether people may have been removed. One row a meeting, however many its events are.
 */
const recentMeetings = (after: Fragment) => sql`select e.meeting_id, e.account_id, max(e.position) as position,
      bool_or(e.type like 'meeting.%') as everyone,
      bool_or(e.type = 'meeting.updated' and e.data -> 'changed' ? 'participants') as removes,
      array_agg(lower(e.data ->> 'email')) filter (where e.type = 'participant.responded') as responders
    from event e
    where e.position > ${after} and e.meeting_id is not null and e.type in (${list(reportedTypes)})
    group by e.meeting_id, e.account_id`

/** Whether the participant `p` sees the changes of the meeting `r`. */
const isParticipantConcerned = sql`not p.blocked and (r.everyone or p.cohost or p.email_key = any (r.responders))`

/** Whether the guest of the delivery `d` still holds the meeting `r`, from which people were removed. */
const isRemovedConcerned = sql`r.removes and (d.held_sequence is not null or d.pending)`

const concernedAccountsStatement = defineStatement({
  name: 'list-accounts-of-changes',
  parameters: { after: 'bigint' },
  columns: { accountIds: 'uuid[]' },
  text: (p) => sql`with recent as materialized (${recentMeetings(sql`${p.after}`)})
    select array(select account_id from (
      select r.account_id from recent r
      union select a.id from recent r join participant p on p.meeting_id = r.meeting_id
        join account a on a.email_key = p.email_key where ${isParticipantConcerned}
      union select added.account_id from recent r join added_meeting added on added.meeting_id = r.meeting_id
        where r.everyone
      union select a.id from recent r join guest_delivery d on d.meeting_id = r.meeting_id
        join account a on a.email_key = d.email_key where ${isRemovedConcerned}
    ) concerned limit ${sql.lit(maxNotifiedAccounts + 1)}) as account_ids`,
})

/** Notify the pages of all who see one of the events that were published after a position, in the same transaction. */
export async function notifyUsers(tx: Tx, after: number): Promise<void> {
  const [{ accountIds } = { accountIds: [] }] = await concernedAccountsStatement.execute(tx, { after })
  await publish(tx, ...(accountIds.length > maxNotifiedAccounts ? [everyUserTopic] : accountIds.map(userTopic)))
}

const findChangesStatement = defineStatement({
  name: 'find-changes-of-users',
  parameters: { accountIds: 'uuid[]', addressKeys: 'text?[]', afters: 'bigint[]' },
  columns: { lastPosition: 'bigint', meetingIds: 'uuid[]', lastNotification: 'bigint' },
  text: (p) => sql`with asked as materialized (
      select * from unnest(${p.accountIds}, ${p.addressKeys}, ${p.afters}) with ordinality
        as one (account_id, address_key, after, ordinal)
    ), recent as materialized (${recentMeetings(sql`greatest((select min(after) from asked),
        (select last_position - ${sql.lit(maxScannedEvents)} from event_log))`)}
    ), concerned as (
      select a.ordinal, r.meeting_id from recent r join asked a on a.account_id = r.account_id
        where a.after < r.position
      union select a.ordinal, r.meeting_id from recent r join participant p on p.meeting_id = r.meeting_id
        join asked a on a.address_key = p.email_key where a.after < r.position and ${isParticipantConcerned}
      union select a.ordinal, r.meeting_id from recent r join added_meeting added on added.meeting_id = r.meeting_id
        join asked a on a.account_id = added.account_id where a.after < r.position and r.everyone
      union select a.ordinal, r.meeting_id from recent r join guest_delivery d on d.meeting_id = r.meeting_id
        join asked a on a.address_key = d.email_key where a.after < r.position and ${isRemovedConcerned}
    ) select coalesce((select last_position from event_log), 0) as last_position,
        array(select c.meeting_id from concerned c where c.ordinal = asked.ordinal
          limit ${sql.lit(maxChangedMeetings + 1)}) as meeting_ids,
        coalesce((select n.number from notification n where n.account_id = asked.account_id
          order by n.number desc limit 1), 0) as last_notification
      from asked order by asked.ordinal`,
})

type Question = { accountId: string; addressKey: string | null; after: number }
type Changes = { lastPosition: number; meetingIds: readonly string[]; lastNotification: number }

/** Streams that check at the same time share the statement. */
const createFindChanges = (database: Database) =>
  createBatcher(async (asked: readonly Question[]): Promise<Changes[]> => {
    const rows = await findChangesStatement.execute(database, {
      accountIds: asked.map(({ accountId }) => accountId),
      addressKeys: asked.map(({ addressKey }) => addressKey),
      afters: asked.map(({ after }) => after),
    })
    return asked.map((_, at) => rows[at] ?? { lastPosition: 0, meetingIds: [], lastNotification: 0 })
  })

/** A position after every event: a stream begins now. */
const fromNowOn = Number.MAX_SAFE_INTEGER

type Dependencies = Pick<Platform, 'database'> & Pick<Access, 'serve'>

/**
 * Register the stream by which open pages follow changes (docs/architecture.md, "Open pages follow changes"). The
 * state of a stream is what it has sent; it needs no row, because a page that reconnects reads everything again.
 */
export function registerUserEvents({ serve, database: pool }: Dependencies): void {
  const findChanges = createFindChanges(pool)
  const states = new WeakMap<AbortSignal, StreamState>()
  serve(watchUser, {
    handle: async ({ caller, closed }) => {
      const { accountId } = caller
      const state = states.get(closed)
      const addressKey = caller.addressTrusted ? caller.addressKey : null
      const found = await findChanges({ accountId, addressKey, after: state?.position ?? fromNowOn })
      const sent = nextMessage(state, found)
      states.set(closed, { position: found.lastPosition, lastNotification: found.lastNotification, sent })
      return { topics: [userTopic(accountId), everyUserTopic], snapshot: sent }
    },
  })
}

type StreamState = { position: number; lastNotification: number; sent: UserChanges }

/** The same message again where nothing has changed, which is not sent again. */
function nextMessage(
  state: StreamState | undefined,
  { lastPosition, meetingIds, lastNotification }: Changes,
): UserChanges {
  if (state === undefined) return { number: 0, meetingIds: [], moreChanged: false, notificationsChanged: false }
  const moreChanged = meetingIds.length > maxChangedMeetings || lastPosition - state.position > maxScannedEvents
  const notificationsChanged = lastNotification !== state.lastNotification
  if (meetingIds.length === 0 && !moreChanged && !notificationsChanged) return state.sent
  return {
    number: state.sent.number + 1,
    meetingIds: meetingIds.slice(0, maxChangedMeetings),
    moreChanged,
    notificationsChanged,
  }
}

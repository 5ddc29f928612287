import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { nextReminder, type Reminder } from '@parley/rules/meetings/reminders'
import { type Exceptions, occurrenceStartingAt } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import type { Actor, ChargedAccount } from '../access/caller.ts'
import type { Config } from '../platform/config/config.ts'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { tables, typed } from '../platform/database/tables.ts'
import { currentTraceparent } from '../platform/jobs/jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { type Address, deliveryJobsOf, deliveryPriorities, isKnownToGuest } from './guest-mail-queue.ts'
import { lockInvitationsLeft } from './mail-allowance.ts'
import type { ScheduleRow } from './meeting-row.ts'

type Reminded = ScheduleRow & { reminderMinutes: number | null }

/** The next reminder that is due after `after`, by the minutes of the meeting or the default of the configuration. */
export const reminderOf = (
  meeting: Reminded,
  exceptions: Exceptions,
  { reminderMinutes }: Config,
  after: Date,
): Reminder | undefined =>
  nextReminder(seriesOf(meeting, exceptions), meeting.reminderMinutes ?? reminderMinutes, after)

/** Replace the meeting's next reminder; undefined removes it. */
export async function setReminder(tx: Tx, meetingId: string, reminder: Reminder | undefined): Promise<void> {
  if (reminder === undefined) {
    await tx.deleteFrom('meetingReminder').where('meetingId', '=', meetingId).execute()
    return
  }
  await tx
    .insertInto('meetingReminder')
    .values({ meetingId, ...reminder })
    .onConflict((conflict) => conflict.column('meetingId').doUpdateSet(reminder))
    .execute()
}

/**
 * After an occurrence was cancelled, changed or restored: find the next reminder anew, unless the reminder that is due
 * now stays as it is.
 */
export async function moveReminder(
  tx: Tx,
  meeting: Reminded & { id: string },
  { before, after }: { before: Exceptions; after: Exceptions },
  config: Config,
  now: Date,
): Promise<void> {
  const reminder = await findReminder(tx, meeting.id)
  const next = reminderOf(meeting, after, config, now)
  const takesPlace = (exceptions: Exceptions) =>
    reminder !== undefined && occurrenceStartingAt(seriesOf(meeting, exceptions), reminder.occurrence) !== undefined
  // A reminder whose time has come is still to be sent, also if another occurrence changes in that minute.
  const isDue = reminder !== undefined && reminder.dueAt <= now && takesPlace(before) && takesPlace(after)
  if (!isDue) await setReminder(tx, meeting.id, next)
}

const findReminder = (tx: Tx, meetingId: string) =>
  tx.selectFrom('meetingReminder').select(['occurrence', 'dueAt']).where('meetingId', '=', meetingId).executeTakeFirst()

const remindableStatement = defineStatement({
  name: 'list-remindable-guests',
  parameters: { meetingId: tables.participant.meetingId },
  columns: { addressKey: 'text', email: tables.participant.email, chargedId: 'uuid' },
  text: (p) => sql`select g.email_key as address_key, g.email, coalesce(inviter.id, m.host_id) as charged_id
  from participant g join meeting m on m.id = g.meeting_id
    left join guest_delivery d on d.meeting_id = g.meeting_id and d.email_key = g.email_key
    left join account inviter on inviter.id = d.invited_by and inviter.deleted_at is null
  where g.meeting_id = ${p.meetingId} and not g.blocked and ${isKnownToGuest(sql`g`)} order by g.email_key`,
})

/** The guests who may be reminded, by the account that invited them and pays for that; the host where it is gone. */
export async function listRemindableGuests(tx: Tx, meetingId: string): Promise<Map<string, Address[]>> {
  const guests = new Map<string, Address[]>()
  for (const { chargedId, ...guest } of await remindableStatement.execute(tx, { meetingId })) {
    guests.set(chargedId, [...(guests.get(chargedId) ?? []), guest])
  }
  return guests
}

const queueRemindersStatement = defineStatement({
  name: 'want-reminders',
  parameters: {
    meetingId: tables.guestDelivery.meetingId,
    date: 'timestamptz',
    chargedId: typed<ChargedAccount>('uuid?'),
    now: 'timestamptz',
    guestKeys: 'text[]',
    guestEmails: 'text[]',
    traceparent: 'text?',
  },
  columns: { queued: 'bigint' },
  text: (p) => sql`with wanted as (
    insert into guest_delivery (meeting_id, email_key, email, revision, reminder_for, reminder_sender_id,
      reminder_wanted_at)
    select ${p.meetingId}, guest.email_key, guest.email, 1, ${p.date}, ${p.chargedId}, ${p.now}
    from unnest(${p.guestKeys}, ${p.guestEmails}) as guest (email_key, email)
    order by guest.email_key
    on conflict (meeting_id, email_key) do update set revision = guest_delivery.revision + 1,
      reminder_for = excluded.reminder_for, reminder_id = null,
      reminder_sender_id = excluded.reminder_sender_id, reminder_wanted_at = excluded.reminder_wanted_at
    returning meeting_id, email_key
  ) select ${deliveryJobsOf(sql`wanted`, deliveryPriorities.reminder, p.traceparent)} as queued`,
})

type RemindersToQueue = { meetingId: string; date: Date; people: readonly Address[]; now: Date }

const queueRemindersAt = (tx: Tx, charged: ChargedAccount | null, { meetingId, date, people, now }: RemindersToQueue) =>
  queueRemindersStatement.execute(tx, {
    meetingId,
    date,
    chargedId: charged,
    now,
    guestKeys: people.map(({ addressKey }) => addressKey),
    guestEmails: people.map(({ email }) => email),
    traceparent: currentTraceparent() ?? null,
  })

/**
 * Queue the reminders of one occurrence, after other unsent emails to these guests: all of them, or none if the account
 * that pays has fewer emails left. Return whether they are queued.
 */
export async function queueReminders(
  tx: Tx,
  dependencies: Pick<Dependencies, 'config'>,
  actor: Actor,
  reminders: RemindersToQueue,
): Promise<boolean> {
  const { left } = await lockInvitationsLeft(tx, dependencies, actor, reminders.now)
  if (reminders.people.length > left) return false
  await queueRemindersAt(tx, actor.charged, reminders)
  return true
}

/** Queue a host's own reminder. The reminder goes to no other person, and counts for no account. */
export const queueHostReminder = (
  tx: Tx,
  { host, ...reminder }: Omit<RemindersToQueue, 'people'> & { host: Address },
) => queueRemindersAt(tx, null, { ...reminder, people: [host] })

import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { nextReminder } from '@parley/rules/meetings/reminders'
import { type Occurrence, occurrenceStartingAt } from '@parley/rules/recurrence/recurrence'
import { addressKey } from '@parley/rules/text/email-address'
import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { serviceActorFor } from '../access/caller.ts'
import { findExceptions } from '../meetings/exception-store.ts'
import { listRemindableGuests, queueHostReminder, queueReminders, setReminder } from '../meetings/meeting-reminder.ts'
import type { MeetingRow } from '../meetings/meeting-row.ts'
import { findAnyMeeting } from '../meetings/meeting-store.ts'
import { findDeclined } from '../meetings/occurrence-response-store.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { preferredLanguage } from '../platform/http/content-negotiation.ts'
import { html } from '../platform/http/html.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import { textsIn } from '../platform/texts.ts'
import { type Page, sendPage } from '../server-pages/page.ts'
import type { Dependencies } from './dependencies.ts'
import { personOfToken, reminderResumePath, reminderStopPath } from './guest-links.ts'
import { preferencesOf, serveGuestPages, unknownInvitationPage } from './guest-pages.ts'
import { findStopped, hasAccount, lockDueReminder, resumeReminders, stopReminders } from './guest-reminder-store.ts'

export const remindJob = defineJob('remind-of-meetings', Type.Unknown())

type RemindDependencies = Pick<Dependencies, 'database' | 'clock' | 'config' | 'log'>

/**
 * Queue due reminders, and move each meeting on to its next one in the same transaction: exactly once, whichever
 * process dies and however many run this. Reminders that were missed while no instance ran are sent as long as the date
 * is still ahead.
 */
export function createRemindTask(dependencies: RemindDependencies) {
  return remindJob.handle(async () => {
    while (await inTransaction(dependencies.database, (tx) => remindOfNext(tx, dependencies)));
  })
}

/** Remind of one meeting in one transaction: with several, transactions would lock accounts in different orders. */
async function remindOfNext(tx: Tx, dependencies: RemindDependencies): Promise<boolean> {
  const now = dependencies.clock.now()
  const due = await lockDueReminder(tx, now)
  if (due === undefined) return false
  const { meetingId, occurrence, dueAt } = due
  const meeting = await findAnyMeeting(tx, meetingId)
  if (meeting === undefined) {
    await setReminder(tx, meetingId, undefined)
    return true
  }
  const series = seriesOf(meeting, await findExceptions(tx, meetingId))
  const found = occurrenceStartingAt(series, occurrence)
  if (found !== undefined && occurrence > now && meeting.cancelledAt === null) {
    await remind(tx, dependencies, meeting, found, now)
  }
  const minutes = meeting.reminderMinutes ?? dependencies.config.reminderMinutes
  // Reminders of dates that have begun are dropped; those of future dates are sent one after the other.
  const passed = new Date(Math.max(dueAt.getTime(), now.getTime() - minutes * 60_000))
  await setReminder(tx, meetingId, meeting.cancelledAt === null ? nextReminder(series, minutes, passed) : undefined)
  return true
}

/**
 * Remind the host, and all guests and cohosts who have not declined this date. Addresses that opted out of this meeting's
 * reminders get none, and neither do people who were never told of the meeting. Reminders count towards the daily emails of
 * the account that invited the guest, because a series must not mail a thousand strangers every day; beyond that limit
 * only the host is reminded.
 */
async function remind(
  tx: Tx,
  dependencies: RemindDependencies,
  meeting: MeetingRow,
  { originalStart, startsAt: date }: Occurrence,
  now: Date,
) {
  const { id: meetingId, host } = meeting
  const stopped = await findStopped(tx, meetingId)
  const declined = await findDeclined(tx, meetingId, originalStart)
  const guests = await listRemindableGuests(tx, meetingId)
  // Always in the same order, because two transactions that lock the same accounts would deadlock otherwise.
  for (const [chargedId, invited] of [...guests].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const people = invited.filter(({ addressKey }) => !declined.has(addressKey) && !stopped.has(addressKey))
    if (people.length === 0) continue
    const actor = serviceActorFor(host, chargedId)
    if (await queueReminders(tx, dependencies, actor, { meetingId, date, people, now })) continue
    dependencies.log.warn({ meetingId, guests: people.length }, 'guests are not reminded: too many mails a day')
  }
  const hostKey = addressKey(host.email)
  // A meeting that a deleted account offers to its cohosts takes place without its host.
  if (!stopped.has(hostKey) && (await hasAccount(tx, host.id))) {
    await queueHostReminder(tx, { meetingId, date, now, host: { addressKey: hostKey, email: host.email } })
  }
}

/**
 * Serve the page behind the unsubscribe link of a reminder. Opening it changes nothing; the button, or the one-click
 * request of a mail program (RFC 8058), stops the reminders of this meeting to this address, and another press undoes
 * that. Responds without a redirect, because mail programs do not follow one.
 */
export function registerReminderPages(dependencies: Dependencies): void {
  const { database, clock } = dependencies
  serveGuestPages(dependencies, (pages) => {
    pages.get(reminderStopPath, async (request, reply) => show(dependencies, request, reply))
    pages.post(reminderStopPath, async (request, reply) => {
      const found = await findPerson(dependencies, request)
      if (found !== undefined) await inTransaction(database, (tx) => stopReminders(tx, found, clock.now()))
      return show(dependencies, request, reply)
    })
    pages.post(reminderResumePath, async (request, reply) => {
      const found = await findPerson(dependencies, request)
      if (found !== undefined) await resumeReminders(database, found)
      return show(dependencies, request, reply)
    })
  })
}

async function show(dependencies: Dependencies, request: FastifyRequest, reply: FastifyReply) {
  const spoken = preferredLanguage(request.headers['accept-language'] ?? '') ?? 'en'
  const found = await findPerson(dependencies, request)
  if (found === undefined) return sendPage(reply, unknownInvitationPage(spoken, request.id))
  const { meeting, meetingId, token, email } = found
  const { language, look } = await preferencesOf(dependencies, found, meeting.host.id)
  const isStopped = (await findStopped(dependencies.database, meetingId)).has(found.addressKey)
  const path = `/reminders/${meetingId}/${token}`
  return sendPage(reply, {
    ...stopPage({
      topic: meeting.topic,
      email,
      isStopped,
      language: language ?? spoken,
      action: isStopped ? `${path}/resume` : path,
    }),
    ...(look && { look }),
  })
}

/** Find the guest, cohost or host to whom the token belongs. Undefined when there is none. */
async function findPerson({ database, encryption }: Dependencies, { params }: FastifyRequest) {
  const { meetingId, token } = params as Record<'meetingId' | 'token', string>
  const meeting = isUuid(meetingId) ? await findAnyMeeting(database, meetingId) : undefined
  if (meeting === undefined) return undefined
  const host = { addressKey: addressKey(meeting.host.email), email: meeting.host.email }
  const person = personOfToken(encryption, 'reminder stop link', { subjectId: meetingId, token }, [
    host,
    ...meeting.people,
  ])
  return person && { meeting, meetingId, token: encodeURIComponent(token), ...person }
}

type StopPageContent = {
  language: Language
  topic: string
  email: string
  isStopped: boolean
  /** The target of the button: stop, or undo. */
  action: string
}

/** Ask for a button press, because mail scanners follow links. Shows the current state, and offers to undo it. */
function stopPage({ language, topic, email, isStopped, action }: StopPageContent): Page {
  const t = textsIn(language, 'invitation-emails')
  const address = isolated(language, email)
  return {
    status: 200,
    title: t('reminders.title'),
    language,
    forms: true,
    main: html`<h1 dir="auto">${topic}</h1>
${isStopped ? html`<p role="status"><strong>${t('reminders.stopped', { address })}</strong></p>` : html`<p>${t('reminders.ask', { address })}</p>`}
<form method="post" action="${action}" class="stacked">
<button${isStopped ? undefined : html` class="primary"`}>${isStopped ? t('reminders.resume') : t('reminders.stop')}</button>
</form>`,
  }
}

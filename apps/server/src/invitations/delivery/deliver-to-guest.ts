import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs } from '@parley/rules/invitations/mail-limits'
import { trustsEveryAddress } from '../../access/trusted-address.ts'
import { isCertainlyNotAccepted, isPermanentFailure } from '../../email/mail.ts'
import { type DeliveryKey, deliveryJob, queueDelivery } from '../../meetings/guest-mail-queue.ts'
import { readOwnResponses } from '../../meetings/occurrence-response-store.ts'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { composeInvitationEmail } from '../compose-invitation-email.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InvitationEmailRow } from '../invitation-email.ts'
import { findMailLimitEnd } from './address-limits.ts'
import { isReported, reportDelayed, reportFailed, reportNotDelayed, reportSent } from './delivery-report.ts'
import {
  type BegunMail,
  beginMail,
  clearPending,
  deleteMail,
  dropReminder,
  findUnconfirmed,
  type GuestDeliveryRow,
  giveUp,
  lockDelivery,
  markFailing,
  markReminderSent,
  markSent,
  release,
  resumeMail,
} from './guest-delivery-store.ts'
import { encryptState, findMailedMeeting, type MailedMeeting } from './mailed-meeting-store.ts'
import { type MailContent, planDelivery, removesMeeting } from './plan-delivery.ts'

/** How long to retry while the mail server is away. */
const retryLimitMs = dayMs
/** The delay before a job retries when another one is delivering to the same guest. */
const busyDelayMs = 5_000
/** The minimum delay, so that a job that is nearly due does not poll. */
const minDelayMs = 1_000

type Step =
  | { kind: 'done'; delayedUntil?: Date }
  | { kind: 'again' }
  | { kind: 'report'; mailKind: BegunMail['kind'] }
  | ({ kind: 'hand-over' } & HandOver)

type HandOver = {
  mail: BegunMail
  content: MailContent
  delivery: GuestDeliveryRow
  meeting: MailedMeeting
  /** Whether no earlier attempt at this mail can have arrived. */
  isFirstTry: boolean
}

/**
 * Send one guest the mails that bring their calendar of one meeting up to date, one after the other
 * (docs/decisions/0054). Each mail is recorded before it is handed to the mail server, and marked as sent afterwards. If
 * the process dies in between, the next attempt sends it again under the same Message-ID and SEQUENCE, so that calendars
 * and mail programs show it once.
 */
export function createDeliveryTask(dependencies: Dependencies) {
  return deliveryJob.handle(async (key, { job }) => {
    for (;;) {
      const step = await inTransaction(dependencies.database, (tx) => nextStep(tx, dependencies, key, String(job.id)))
      switch (step.kind) {
        case 'done':
          if (step.delayedUntil !== undefined) await reportDelayed(dependencies.database, key, step.delayedUntil)
          return
        case 'again':
          break
        case 'report':
          await reportSent(dependencies.database, key, step.mailKind)
          break
        case 'hand-over':
          if (!(await handOver(dependencies, key, step))) return
      }
    }
  })
}

/** Decide what to do next. The guest's row stays locked for these few statements, and never while a mail is sent. */
async function nextStep(tx: Tx, dependencies: Dependencies, key: DeliveryKey, jobId: string): Promise<Step> {
  const { config, clock, encryption, random, log } = dependencies
  const now = clock.now()
  const delivery = await lockDelivery(tx, key)
  if (delivery === undefined) return { kind: 'done' }
  const otherJobId = delivery.jobId === null || String(delivery.jobId) === jobId ? null : String(delivery.jobId)
  const trustsEvery = trustsEveryAddress(config)
  const { confirmedSequence } = delivery
  const meeting = await findMailedMeeting(tx, key, { trustsEvery, otherJobId, confirmedSequence })
  if (meeting === undefined) return { kind: 'done' }
  if (meeting.isBusy) {
    // Look again later, in case the other job has died. A living one sends this change as well.
    await queueDelivery(tx, key, { delayMs: busyDelayMs })
    return { kind: 'done' }
  }
  if (delivery.unreported !== null) return { kind: 'report', mailKind: delivery.unreported }

  if (meeting.blocked) {
    await dropBlocked(tx, key, delivery)
    return { kind: 'done' }
  }

  const unconfirmed = meeting.hasUnconfirmed ? await findUnconfirmed(tx, key) : []
  const plan = planDelivery({ encryption }, { delivery, meeting, unconfirmed }, now)
  switch (plan.kind) {
    case 'nothing':
      await clearPending(tx, key, delivery.revision)
      return { kind: 'done' }
    case 'gather':
      await release(tx, key)
      await queueAt(tx, key, plan.until, now)
      return { kind: 'done' }
    case 'drop-reminder':
      await dropReminder(tx, key, plan.date)
      return { kind: 'again' }
    case 'repeat':
      await resumeMail(tx, key, jobId)
      return { kind: 'hand-over', mail: plan.mail, content: plan.content, delivery, meeting, isFirstTry: false }
    case 'begin': {
      const isReminder = plan.mail.kind === 'reminder'
      const charged = isReminder ? delivery.reminderCharged : delivery.charged
      const limited = { addressKey: key.addressKey, charged, isCorrection: plan.isCorrection }
      const until = config.rateLimits ? await findMailLimitEnd(tx, limited, now) : undefined
      if (until !== undefined && isReminder) {
        log.warn({ meetingId: key.meetingId }, 'a reminder is not sent: its address has had its mails of the day')
        await dropReminder(tx, key, plan.content.date ?? now)
        return { kind: 'again' }
      }
      if (until !== undefined) {
        await release(tx, key)
        await queueAt(tx, key, until, now)
        return { kind: 'done', delayedUntil: until }
      }
      const mail = { ...plan.mail, id: random.uuid(now), startedAt: now }
      const { newState } = plan
      const encryptedState = newState && encryptState(encryption, { ...key, sequence: mail.stateSequence }, newState)
      await beginMail(tx, key, { ...mail, encryptedState, jobId })
      return { kind: 'hand-over', mail, content: plan.content, delivery, meeting, isFirstTry: true }
    }
  }
}

/**
 * Drop all mails to a guest who has blocked the host. The host must not notice it: the meeting shows neither a sent, nor a
 * failed, nor a delayed mail.
 */
async function dropBlocked(tx: Tx, key: DeliveryKey, { revision, reminderFor }: GuestDeliveryRow): Promise<void> {
  if (reminderFor !== null) await dropReminder(tx, key, reminderFor)
  await clearPending(tx, key, revision)
  await reportNotDelayed(tx, key)
}

const queueAt = (tx: Tx, key: DeliveryKey, at: Date, now: Date) =>
  queueDelivery(tx, key, { delayMs: Math.max(at.getTime() - now.getTime(), minDelayMs) })

/**
 * Hand a mail to the mail server and record the outcome. Return whether there may be more to do; throw an error where the
 * job must try again.
 */
async function handOver(
  dependencies: Dependencies,
  key: DeliveryKey,
  { mail, content, delivery, meeting, isFirstTry }: HandOver,
): Promise<boolean> {
  const { database, mailer, clock, log } = dependencies
  const isReminder = mail.kind === 'reminder'
  try {
    await mailer.deliver(await composeInvitationEmail(dependencies, rowOf(key, delivery, meeting, mail, content)))
  } catch (error) {
    if (isFirstTry && isCertainlyNotAccepted(error)) await deleteRejectedMail(dependencies, key, mail)
    const now = clock.now()
    const failingSince = await markFailing(database, key, now)
    // A reminder is dropped when its date begins, so it has no retry limit.
    const isLate = !isReminder && now.getTime() - failingSince.getTime() >= retryLimitMs
    if (!isLate && !isPermanentFailure(error)) throw error
    log.warn({ ...logged(key), kind: mail.kind, err: error }, 'a mail about a meeting is given up')
    await reportFailed(database, key, now)
    if (isReminder) await dropReminder(database, key, content.date ?? now)
    else await giveUp(database, key, delivery.revision)
    return true
  }
  const unreported = isReported(meeting, mail.kind) ? null : mail.kind
  const now = clock.now()
  const confirmedSequence = removesMeeting(mail.kind) ? null : mail.stateSequence
  const { revision, messageAt } = delivery
  const mark = () =>
    isReminder
      ? markReminderSent(database, key, { id: mail.id, now, unreported })
      : markSent(database, key, {
          id: mail.id,
          now,
          confirmedSequence,
          unreported,
          revision,
          messageAt,
        })
  const hasMore = await withRetries(mark)
  if (unreported !== null) await reportSent(database, key, unreported)
  return hasMore
}

/** Delete the record of a mail that was refused. If that fails, the mail counts as possibly delivered, which does no harm. */
async function deleteRejectedMail({ database, log }: Dependencies, key: DeliveryKey, mail: BegunMail) {
  try {
    await deleteMail(database, key, mail.id)
  } catch (error) {
    log.warn({ ...logged(key), err: error }, 'a mail that was not taken is kept as one that may have been')
  }
}

const logged = ({ meetingId }: DeliveryKey) => ({ meetingId })

/** A restarted database is back within seconds; a mail whose acceptance is not recorded is sent twice. */
const pausesMs = [50, 200, 1_000, 2_000, 4_000, 8_000]

async function withRetries<T>(record: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await record()
    } catch {
      await sleep(pauseMs)
    }
  }
  return record()
}

const rowOf = (
  { meetingId, addressKey }: DeliveryKey,
  { email, message }: GuestDeliveryRow,
  meeting: MailedMeeting,
  { id, kind, sequence, startedAt }: BegunMail,
  content: MailContent,
): InvitationEmailRow => ({
  meetingId,
  addressKey,
  email,
  id,
  kind,
  sequence,
  createdAt: startedAt,
  host: meeting.host,
  brand: meeting.brand,
  reader: meeting.reader,
  response: meeting.response,
  ownResponses: readOwnResponses(meeting.ownResponses),
  otherGuests: meeting.otherGuests,
  displayName: meeting.displayName,
  reminderMinutes: meeting.reminderMinutes,
  replyAddress: meeting.replyAddress,
  replyGeneration: meeting.replyGeneration,
  content,
  message: kind === 'reminder' ? null : message,
  isAgain: meeting.wasCancelled && (kind === 'invitation' || (kind === 'update' && content.changed.length === 0)),
  earlier: meeting.earlier.filter((other) => other < id),
})

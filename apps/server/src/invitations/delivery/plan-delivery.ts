import { type CalendarTarget, type GuestCalendar, planCalendarMail } from '@parley/rules/invitations/calendar-mail'
import { type CalendarState, type ChangedField, changedFields } from '@parley/rules/invitations/invitation-changes'
import { gatheredUntil } from '@parley/rules/invitations/mail-limits'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { firstOccurrence, nextOccurrence, occurrenceStartingAt } from '@parley/rules/recurrence/recurrence'
import { readExceptions } from '../../meetings/exception-store.ts'
import { calendarStateOf } from '../../meetings/meeting-row.ts'
import { decryptSecrets } from '../../meetings/meeting-secrets.ts'
import type { Dependencies } from '../dependencies.ts'
import type { BegunMail, GuestDeliveryRow, UnconfirmedMail } from './guest-delivery-store.ts'
import { decryptState, type EncryptedState, type MailedMeeting, type MeetingState } from './mailed-meeting-store.ts'

/** A state with its sequence number in `meeting_state`. */
type SentState = MeetingState & { sequence: number }

/** The content of a mail besides its calendar. */
export type MailContent = {
  state: CalendarState
  former: MeetingState | null
  changed: readonly ChangedField[]
  date: Date | null
}

type DeliveryPlan =
  | { kind: 'nothing' }
  /** Wait for more changes and combine them into one mail. */
  | { kind: 'gather'; until: Date }
  /** Hand over a recorded mail again. */
  | { kind: 'repeat'; mail: BegunMail; content: MailContent }
  | {
      kind: 'begin'
      mail: Omit<BegunMail, 'id' | 'startedAt'>
      content: MailContent
      newState: SentState | null
      /** Whether it restores dates that an earlier mail cancelled. Such a mail has a higher limit. */
      isCorrection: boolean
    }
  /** A reminder whose date has passed or does not take place. */
  | { kind: 'drop-reminder'; date: Date }

type DeliveryInput = {
  delivery: GuestDeliveryRow
  meeting: MailedMeeting
  unconfirmed: readonly UnconfirmedMail[]
}

/** Decide which mail the guest gets next: a change comes before a reminder. */
export function planDelivery(service: Pick<Dependencies, 'encryption'>, input: DeliveryInput, now: Date): DeliveryPlan {
  const { delivery, meeting } = input
  const state = stateOf(service, meeting)
  const change = delivery.pending ? planChange(service, input, state, now) : { kind: 'nothing' as const }
  if (change.kind !== 'nothing') {
    // While the host can undo the change, a reminder waits as well: its date may not take place.
    if (delivery.waitUntil !== null && delivery.waitUntil > now) return { kind: 'gather', until: delivery.waitUntil }
    // A reminder waits for pending changes, unless they are being gathered, because it cannot wait long.
    if (change.kind !== 'gather' || delivery.reminderFor === null) return change
    return planChange(service, input, state, now, { gathers: false })
  }
  return delivery.reminderFor === null ? { kind: 'nothing' } : planReminder(input, state, delivery.reminderFor, now)
}

function planChange(
  { encryption }: Pick<Dependencies, 'encryption'>,
  input: DeliveryInput,
  state: SentState,
  now: Date,
  { gathers } = { gathers: true },
): DeliveryPlan {
  const { delivery, meeting, unconfirmed } = input
  const decrypt = (encrypted: EncryptedState): SentState => ({
    ...decryptState(encryption, encrypted),
    sequence: encrypted.sequence,
  })
  const held = calendarAt(delivery.confirmedSequence, meeting.confirmedState, decrypt)
  const wasMailed = delivery.lastMailAt !== null
  const confirmed = held.kind === 'nothing' && wasMailed ? emptied : held
  const attempts = unconfirmed.map((mail) => calendarAfter(mail, decrypt))
  const plan = planCalendarMail({ confirmed, unconfirmed: attempts, target: targetOf(meeting, state) }, now)
  switch (plan.kind) {
    case 'none':
      return delivery.resend ? planResend(input, state, now) : { kind: 'nothing' }
    case 'repeat': {
      const mail = unconfirmed.at(-1)
      if (mail === undefined) return { kind: 'nothing' }
      return { kind: 'repeat', mail, content: contentAgain(mail, confirmed, state, decrypt) }
    }
    case 'send': {
      const { kind, date, ...content } = plan.mail
      const known = [content.state, ...(content.former === null ? [] : [content.former])]
      const until = gatheredUntil(
        gathers ? delivery.lastMailAt : null,
        [state, ...known].map(({ series }) => series),
        now,
      )
      if (until !== undefined) return { kind: 'gather', until }
      const mail = { kind, sequence: meeting.sequence, stateSequence: content.state.sequence, date }
      const newState = content.state === state ? state : null
      return { kind: 'begin', mail, content: { ...content, date }, newState, isCorrection: plan.isCorrection }
    }
  }
}

/**
 * Send the current state once more: the same SEQUENCE, and a later DTSTAMP (RFC 5546, 2.1.5). A guest who has answered
 * since the host asked gets nothing.
 */
function planResend({ delivery: { asks }, meeting }: DeliveryInput, state: SentState, now: Date): DeliveryPlan {
  const isAhead = meeting.cancelledAt === null && nextOccurrence(state.series, now) !== undefined
  if (!isAhead || !meeting.invited || (asks && meeting.response !== null)) return { kind: 'nothing' }
  const kind = asks ? ('answer-request' as const) : ('invitation' as const)
  const mail = { kind, sequence: meeting.sequence, stateSequence: state.sequence, date: null }
  const content = { state, former: null, changed: [], date: null }
  return { kind: 'begin', mail, content, newState: state, isCorrection: false }
}

/** The current state of the meeting; for a cancelled series, the part that was held. */
function stateOf({ encryption }: Pick<Dependencies, 'encryption'>, meeting: MailedMeeting): SentState {
  const exceptions = readExceptions(meeting.exceptions)
  const { pin } = decryptSecrets(encryption, meeting)
  const { code, droppedDates, stateSequence } = meeting
  const whole = { ...calendarStateOf(meeting, exceptions), code, pin, droppedDates, sequence: stateSequence }
  const held = meeting.cancelledAt === null ? undefined : heldSeries(whole.series, meeting.cancelledAt)
  return held !== undefined && firstOccurrence(held) !== undefined ? { ...whole, series: held } : whole
}

function targetOf({ invited, cancelledAt, continuedFrom }: MailedMeeting, state: SentState): CalendarTarget<SentState> {
  if (cancelledAt === null) {
    return invited
      ? { kind: 'meeting', state, isCancelled: false, continuedFrom }
      : { kind: 'nothing', reason: 'removed', state }
  }
  const held = heldSeries(state.series, cancelledAt)
  const isHeld = held !== undefined && firstOccurrence(held) !== undefined
  return invited && isHeld
    ? { kind: 'meeting', state, isCancelled: true, continuedFrom: null }
    : { kind: 'nothing', reason: 'cancelled', state }
}

type Decrypt = (encrypted: EncryptedState) => SentState

function calendarAt(
  sequence: number | null,
  encrypted: EncryptedState | null,
  decrypt: Decrypt,
): GuestCalendar<SentState> {
  if (sequence === null) return { kind: 'nothing' }
  return encrypted === null ? { kind: 'unknown' } : { kind: 'meeting', state: decrypt(encrypted) }
}

/** What the guest's calendar has if this mail arrived. */
const calendarAfter = ({ kind, stateSequence, state }: UnconfirmedMail, decrypt: Decrypt): GuestCalendar<SentState> =>
  removesMeeting(kind) ? emptied : calendarAt(stateSequence, state, decrypt)

/** A calendar from which a mail has removed the meeting. */
const emptied = { kind: 'nothing' as const, emptied: true }

/** Whether a mail of this kind removes the meeting from the calendar. */
export const removesMeeting = (kind: BegunMail['kind']) => kind === 'cancellation' || kind === 'removal'

function contentAgain(
  { kind, date, state: encrypted }: UnconfirmedMail,
  confirmed: GuestCalendar<SentState>,
  state: SentState,
  decrypt: Decrypt,
): MailContent {
  const sent = encrypted === null ? state : decrypt(encrypted)
  const former = confirmed.kind === 'meeting' && !removesMeeting(kind) ? confirmed.state : null
  const changed = kind === 'update' && former !== null ? changedFields(former, sent) : []
  return { state: sent, former, changed, date }
}

/** Drop reminders of dates that were moved, were cancelled or have begun. */
function planReminder({ delivery, meeting }: DeliveryInput, state: SentState, date: Date, now: Date): DeliveryPlan {
  const isAhead = date > now && meeting.cancelledAt === null
  if (!isAhead || occurrenceStartingAt(state.series, date) === undefined) return { kind: 'drop-reminder', date }
  const content = { state, former: null, changed: [], date }
  const mail = { kind: 'reminder' as const, sequence: meeting.sequence, stateSequence: state.sequence, date }
  if (delivery.reminderId === null) return { kind: 'begin', mail, content, newState: null, isCorrection: false }
  return { kind: 'repeat', mail: { ...mail, id: delivery.reminderId, startedAt: now }, content }
}

import type { CalendarState, ChangedField } from '@parley/rules/invitations/invitation-changes'
import { changedFields } from '@parley/rules/invitations/invitation-changes'
import { gatheredUntil } from '@parley/rules/invitations/mail-limits'
import { type CalendarTarget, type HeldCalendar, planGuestMail } from '@parley/rules/invitations/plan-guest-mail'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { firstOccurrence, nextOccurrence, occurrenceAt } from '@parley/rules/recurrence/recurrence'
import type { Service } from '../../access/service.ts'
import { calendarStateOf } from '../../meetings/meeting-row.ts'
import { openSecrets } from '../../meetings/secrets/meeting-secrets.ts'
import type { BegunMail, DeliveryRow, MeetingForDelivery, UnconfirmedMail } from './delivery-store.ts'
import { type EncryptedState, type MeetingState, openState } from './meeting-state.ts'

/** A state, and the number under which `meeting_state` keeps it. */
export type SentState = MeetingState & { sequence: number }

/** What a mail says beside its calendar. */
export type MailContent = {
  state: CalendarState
  former: MeetingState | null
  changed: readonly ChangedField[]
  date: Date | null
}

export type DeliveryPlan =
  | { kind: 'nothing' }
  /** More changes may follow: they become one mail. */
  | { kind: 'gather'; until: Date }
  /** A mail that was begun is handed over again. */
  | { kind: 'repeat'; mail: BegunMail; content: MailContent }
  | { kind: 'begin'; mail: Omit<BegunMail, 'id' | 'startedAt'>; content: MailContent; sealed: SentState | null }
  /** A reminder whose date has passed, or does not take place. */
  | { kind: 'drop-reminder'; date: Date }

export type DeliveryFacts = {
  delivery: DeliveryRow
  meeting: MeetingForDelivery
  unconfirmed: readonly UnconfirmedMail[]
}

/** Decide what this guest is mailed next: what has changed first, then what they are to be reminded of. */
export function planDelivery(service: Pick<Service, 'encryption'>, facts: DeliveryFacts, now: Date): DeliveryPlan {
  const { delivery, meeting } = facts
  const state = stateOf(service, meeting)
  const change = delivery.pending ? planChange(service, facts, state, now) : { kind: 'nothing' as const }
  // A reminder does not overtake what it waits behind, and cannot wait long.
  if (change.kind !== 'nothing' && !(change.kind === 'gather' && delivery.reminderFor !== null)) return change
  if (change.kind === 'gather')
    return planChange(service, { ...facts, delivery: { ...delivery, lastMailAt: null } }, state, now)
  return delivery.reminderFor === null ? { kind: 'nothing' } : planReminder(facts, state, delivery.reminderFor, now)
}

function planChange(
  { encryption }: Pick<Service, 'encryption'>,
  { delivery, meeting, unconfirmed }: DeliveryFacts,
  state: SentState,
  now: Date,
): DeliveryPlan {
  const open = (sealed: EncryptedState): SentState => ({ ...openState(encryption, sealed), sequence: sealed.sequence })
  const held = heldOf(delivery.heldSequence, meeting.held, open)
  const attempts = unconfirmed.map((mail) => leftBy(mail, open))
  const plan = planGuestMail({ held, unconfirmed: attempts, target: targetOf(meeting, state) }, now)
  switch (plan.kind) {
    case 'none':
      return delivery.resend ? planAgain(meeting, state, now) : { kind: 'nothing' }
    case 'repeat': {
      const mail = unconfirmed.at(-1)
      if (mail === undefined) return { kind: 'nothing' }
      return { kind: 'repeat', mail, content: contentAgain(mail, held, state, open) }
    }
    case 'send': {
      const { kind, date, ...content } = plan.mail
      const known = [content.state, ...(content.former === null ? [] : [content.former])]
      const until = gatheredUntil(
        delivery.lastMailAt,
        [state, ...known].map(({ series }) => series),
        now,
      )
      if (until !== undefined) return { kind: 'gather', until }
      const mail = { kind, sequence: meeting.sequence, stateSequence: content.state.sequence, date }
      return { kind: 'begin', mail, content: { ...content, date }, sealed: content.state === state ? state : null }
    }
  }
}

/** The guest holds what is true, and is told once more: the same SEQUENCE, and a younger DTSTAMP (RFC 5546, 2.1.5). */
function planAgain(meeting: MeetingForDelivery, state: SentState, now: Date): DeliveryPlan {
  const isAhead = meeting.cancelledAt === null && nextOccurrence(state.series, now) !== undefined
  if (!isAhead || !meeting.invited) return { kind: 'nothing' }
  const mail = { kind: 'invitation' as const, sequence: meeting.sequence, stateSequence: state.sequence, date: null }
  return { kind: 'begin', mail, content: { state, former: null, changed: [], date: null }, sealed: state }
}

/** What is true of the meeting: of a cancelled series, what was held of it. */
function stateOf({ encryption }: Pick<Service, 'encryption'>, meeting: MeetingForDelivery): SentState {
  const skipped = meeting.skipped.map((date) => new Date(date))
  const { pin } = openSecrets(encryption, meeting)
  const { code, droppedDates, stateSequence } = meeting
  const whole = { ...calendarStateOf(meeting, skipped), code, pin, droppedDates, sequence: stateSequence }
  const held = meeting.cancelledAt === null ? undefined : heldSeries(whole.series, meeting.cancelledAt)
  return held !== undefined && firstOccurrence(held) !== undefined ? { ...whole, series: held } : whole
}

function targetOf({ invited, cancelledAt }: MeetingForDelivery, state: SentState): CalendarTarget<SentState> {
  if (cancelledAt === null) {
    return invited ? { kind: 'meeting', state, isCancelled: false } : { kind: 'nothing', reason: 'removed', state }
  }
  const held = heldSeries(state.series, cancelledAt)
  const isHeld = held !== undefined && firstOccurrence(held) !== undefined
  return invited && isHeld
    ? { kind: 'meeting', state, isCancelled: true }
    : { kind: 'nothing', reason: 'cancelled', state }
}

type Open = (sealed: EncryptedState) => SentState

function heldOf(sequence: number | null, sealed: EncryptedState | null, open: Open): HeldCalendar<SentState> {
  if (sequence === null) return { kind: 'nothing' }
  return sealed === null ? { kind: 'unknown' } : { kind: 'meeting', state: open(sealed) }
}

/** What a calendar shows after this mail, if it arrived. */
const leftBy = ({ kind, stateSequence, state }: UnconfirmedMail, open: Open): HeldCalendar<SentState> =>
  heldOf(isCallingOff(kind) ? null : stateSequence, state, open)

/** After such a mail the guest holds nothing. */
export const isCallingOff = (kind: BegunMail['kind']) => kind === 'cancellation' || kind === 'removal'

function contentAgain(
  { kind, date, state: sealed }: UnconfirmedMail,
  held: HeldCalendar<SentState>,
  state: SentState,
  open: Open,
): MailContent {
  const sent = sealed === null ? state : open(sealed)
  const former = held.kind === 'meeting' && !isCallingOff(kind) ? held.state : null
  const changed = kind === 'update' && former !== null ? changedFields(former, sent) : []
  return { state: sent, former, changed, date }
}

/** A date that has been moved or cancelled, or has begun, is not reminded of. */
function planReminder({ delivery, meeting }: DeliveryFacts, state: SentState, date: Date, now: Date): DeliveryPlan {
  const occurrence = date > now && meeting.cancelledAt === null ? occurrenceAt(state.series, date) : undefined
  if (occurrence === undefined || occurrence.excluded) return { kind: 'drop-reminder', date }
  const content = { state, former: null, changed: [], date }
  const mail = { kind: 'reminder' as const, sequence: meeting.sequence, stateSequence: state.sequence, date }
  if (delivery.reminderId === null) return { kind: 'begin', mail, content, sealed: null }
  return { kind: 'repeat', mail: { ...mail, id: delivery.reminderId, startedAt: now }, content }
}

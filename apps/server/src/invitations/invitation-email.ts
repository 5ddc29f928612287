import { type InvitationResponse, invitationResponses } from '@parley/contract'
import { type MeetingText, mapTexts } from '@parley/contract/meeting-fields'
import {
  type CalendarState,
  type ChangedField,
  changedFields,
  changedOccurrences,
  type InvitationEmailKind,
} from '@parley/rules/invitations/invitation-changes'
import { compareDates } from '@parley/rules/recurrence/carried-dates'
import {
  firstOccurrence,
  nextOccurrence,
  noExceptions,
  type Occurrence,
  occurrenceAt,
  occurrenceStartingAt,
  type Series,
} from '@parley/rules/recurrence/recurrence'
import { withEnd } from '@parley/rules/recurrence/series-end'
import { readTimeZone } from '@parley/rules/recurrence/time-zone'
import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import type { StoredBrand } from '../../migrations/column-values.ts'
import type { Change, Fact, MailDocument, TimeOf } from '../email/mail-document.ts'
import { addLink, joinLink } from '../meetings/meeting-view.ts'
import type { OwnResponse } from '../meetings/occurrence-response-store.ts'
import { type TextsOf, textsIn } from '../platform/texts.ts'
import type { GuestMessage } from './delivery/guest-delivery-store.ts'
import type { MailContent } from './delivery/plan-delivery.ts'
import type { Dependencies } from './dependencies.ts'
import { guestToken, reminderStopLink, responseLinkPath } from './guest-links.ts'
import { day, moment, repetition, shortMoment, showsOtherTime, span, timeHeading } from './times-in-words.ts'

/** A mail's row, with the profile data that is read when it is sent. */
export type InvitationEmailRow = {
  meetingId: string
  addressKey: string
  email: string
  id: string
  kind: InvitationEmailKind
  sequence: number
  createdAt: Date
  content: MailContent
  /** What a host writes with the change. */
  message: GuestMessage | null
  /** Whether a meeting takes place again that the guest was mailed to be cancelled. */
  isAgain: boolean
  host: { name: string; lname: string; email: string; language: Language | '' }
  /** The look of the host's organisation. */
  brand: StoredBrand
  /** The account with this address, if it is verified: its zone and language are used. */
  reader: { name: string; lname: string; timeZone: string; language: Language | '' } | null
  response: InvitationResponse | null
  ownResponses: readonly OwnResponse[]
  reminderMinutes: number | null
  /** Some of the other guests, and how many there are. */
  otherGuests: { emails: readonly string[]; names: readonly string[]; count: number }
  /** What the host calls the guest; empty for no name. */
  displayName: string
  /** The address that receives the guests' answers; null where the host receives them. */
  replyAddress: string | null
  replyGeneration: string
  /** Earlier mails about the meeting to the same person, oldest first. */
  earlier: readonly string[]
}

/** The data from which a mail is written. */
type InvitationEmailContent = CalendarState &
  Omit<MailContent, 'state'> & {
    /** Previously cancelled dates that take place again. */
    restored: readonly Date[]
  }

/** An email with everything that its text, HTML and calendar contain. */
export type InvitationEmail = {
  kind: InvitationEmailKind
  email: string
  content: InvitationEmailContent
  /** When the mail was recorded. Future dates are counted from here, so that each attempt gives the same mail. */
  writtenAt: Date
  language: Language
  t: TextsOf<'invitation-emails'>
  /** Of all times: the reader's where an account is known, otherwise the meeting's. */
  timeZone: string
  /** Empty where neither an account nor the host names the reader. */
  readerName: string
  hostName: string
  hostEmail: string
  message: { text: string; author: string } | null
  isAgain: boolean
  /** Whether it goes to the host, who is not asked to respond. */
  isHost: boolean
  /** Whether no date is left. */
  isOver: boolean
  response: InvitationResponse | null
  ownResponses: readonly OwnResponse[]
  otherGuests: InvitationEmailRow['otherGuests']
  baseUrl: string
  links: { join: string; add: string; answers: Record<InvitationResponse, string>; stopReminders: string }
}

/** Collect what an email contains. Its language is the reader's, or the host's where the reader has no account. */
export function readInvitationEmail(
  { encryption, config }: Pick<Dependencies, 'encryption' | 'config'>,
  row: InvitationEmailRow,
): InvitationEmail {
  const { baseUrl, timeZoneAliases } = config
  const { meetingId, addressKey, host, reader } = row
  const { state, ...rest } = row.content
  const content = { ...state, ...rest, restored: restoredDates(row) }
  const language = reader?.language || host.language || 'en'
  const zone = reader?.timeZone ? readTimeZone(reader.timeZone, timeZoneAliases) : undefined
  // A mail about one occurrence asks for the response to that occurrence.
  const occurrence = row.kind === 'occurrence-update' && content.date !== null ? content.date : undefined
  const answering = { subjectId: meetingId, addressKey, occurrence, replyGeneration: row.replyGeneration }
  const token = guestToken(encryption, 'answer link', answering)
  const stopToken = guestToken(encryption, 'reminder stop link', { subjectId: meetingId, addressKey })
  const link = (answer: InvitationResponse) => `${baseUrl}${responseLinkPath({ meetingId, token, occurrence, answer })}`
  return {
    kind: row.kind,
    email: row.email,
    content,
    writtenAt: row.createdAt,
    language,
    t: textsIn(language, 'invitation-emails'),
    timeZone: zone?.kind === 'known' ? zone.timeZone : content.series.timeZone,
    // The name that a person has chosen precedes the one that a host has given.
    readerName: (reader !== null && nameOf(reader)) || row.displayName,
    hostName: nameOf(host),
    hostEmail: host.email,
    isAgain: row.isAgain,
    message: row.message && { text: row.message.text, author: nameOf(row.message.author) },
    isHost: row.email === host.email,
    isOver: nextOccurrence(content.series, row.createdAt) === undefined,
    response: row.response,
    ownResponses: row.ownResponses,
    otherGuests: row.otherGuests,
    baseUrl,
    links: {
      join: joinLink(baseUrl, content.code, content.pin),
      add: addLink(baseUrl, content.code, content.pin),
      answers: { accepted: link('accepted'), tentative: link('tentative'), declined: link('declined') },
      stopReminders: reminderStopLink(baseUrl, meetingId, stopToken),
    },
  }
}

function restoredDates({ content: { state, former }, createdAt }: InvitationEmailRow): Date[] {
  if (former === null) return []
  const { restored } = compareDates(former.series, state.series, former.droppedDates, createdAt)
  return restored.map(({ startsAt }) => startsAt)
}

const nameOf = ({ name, lname }: { name: string; lname: string }) => `${name} ${lname}`.trim()

type Purpose = 'invites' | 'reminds' | 'cancels'

/** The parts of an email that depend on its purpose: invitation, reminder or cancellation. */
const purposes: Record<InvitationEmailKind, Purpose> = {
  invitation: 'invites',
  update: 'invites',
  reminder: 'reminds',
  cancellation: 'cancels',
  removal: 'cancels',
  'occurrence-cancellation': 'cancels',
  'occurrence-update': 'invites',
  'series-end': 'cancels',
  'series-continued': 'invites',
  'answer-request': 'invites',
}

/** Write the content of an email in the reader's language and time zone. */
export function invitationEmailDocument(written: InvitationEmail): MailDocument {
  const email = { ...written, content: shownContent(written) }
  const { kind, content, t, language, links, timeZone, writtenAt } = email
  const { topic, series, description } = content
  const mayBeOver = kind === 'update' || kind === 'series-continued'
  const purpose = email.isOver && mayBeOver ? 'cancels' : purposes[kind]
  const host = isolated(language, email.hostName)
  const shown = shownOccurrence(series, email.writtenAt)
  const about = aboutOf(written) ?? shown.startsAt
  const whole = written.content.series
  const repeats = whole.rule.repeat !== 'none' && purpose !== 'reminds'
  const isOff = kind === 'cancellation' || kind === 'occurrence-cancellation'
  const again = email.response === null ? 'again' : 'againAnswered'
  return {
    language,
    subject: t(`subjects.${email.isAgain ? 'again' : kind}`, {
      topic: isolated(language, topic),
      date: day(language, about, timeZone),
      time: isolated(language, shortMoment(language, shown.startsAt, timeZone, writtenAt)),
    }),
    title: topic,
    lead: t(`leads.${email.isAgain ? again : kind}`, { host, date: moment(language, about, timeZone) }),
    ...((isOff || kind === 'series-end') && { banner: t('cancelled') }),
    isOff: kind === 'cancellation',
    time: timeOf(email, shown, isOff),
    message: written.message
      ? {
          heading: t('message', { author: isolated(language, written.message.author) }),
          text: written.message.text,
        }
      : undefined,
    paragraphs: [],
    notes: [],
    changes: {
      heading: t('changed'),
      rows: content.changed
        .filter((field) => field !== 'dates' && field !== 'occurrences')
        .map((field) => changeOf(email, field)),
      dates: datesOf(email),
    },
    facts: [
      ...(repeats ? [{ label: t('fields.rule'), lines: [repetition(language, whole)] }] : []),
      ...(content.location.trim() === ''
        ? []
        : [{ label: t('fields.location'), lines: [isolated(language, content.location)] }]),
      { label: t('host'), lines: [host] },
      ...(purpose === 'invites' ? otherGuestsOf(email) : []),
      ...(purpose === 'cancels' ? [] : entranceOf(email)),
    ],
    description:
      purpose === 'invites' && description.trim() !== ''
        ? { heading: t('fields.description'), text: description }
        : undefined,
    action: purpose === 'cancels' ? undefined : { label: t('join'), address: links.join },
    add: secondLinkOf(email, purpose),
    asksFirst: shown.startsAt.getTime() - writtenAt.getTime() > answersBeforeMs,
    question: purpose === 'invites' ? questionOf(email) : undefined,
    footer: footerOf(email, purpose !== 'cancels'),
  }
}

/** Until a day before, a guest answers; on the day, a guest joins. */
const answersBeforeMs = 24 * 60 * 60_000

function secondLinkOf({ t, links }: InvitationEmail, purpose: Purpose): MailDocument['add'] {
  if (purpose === 'reminds') return { label: t('reminders.link'), address: links.stopReminders }
  return purpose === 'invites' ? { label: t('add'), address: links.add } : undefined
}

/** A mail about one occurrence shows its times and texts as those of a single meeting. */
function shownContent({ kind, content }: InvitationEmail): InvitationEmail['content'] {
  const { date, former } = content
  const occurrence = date === null ? undefined : findOccurrence(kind, content.series, date)
  if (occurrence === undefined) return content
  const shown = { ...content, ...asSingle(content, occurrence) }
  const was = kind === 'occurrence-update' && former !== null && date !== null && occurrenceAt(former.series, date)
  if (!was || former === null) return shown
  const single = { ...former, ...asSingle(former, was) }
  return { ...shown, former: single, changed: changedFields(single, shown) }
}

/** Mails that change or cancel one occurrence name its original start; a reminder names the start that it has. */
function findOccurrence(kind: InvitationEmailKind, series: Series, date: Date): Occurrence | undefined {
  if (kind === 'reminder') return occurrenceStartingAt(series, date)
  return kind === 'occurrence-update' || kind === 'occurrence-cancellation' ? occurrenceAt(series, date) : undefined
}

const asSingle = (
  { series, ...texts }: CalendarState,
  { startsAt, endsAt, change }: Occurrence,
): Pick<CalendarState, MeetingText | 'series'> => ({
  ...mapTexts((name) => change?.[name] ?? texts[name]),
  series: {
    ...series,
    ...noExceptions,
    startsAt,
    durationMs: endsAt.getTime() - startsAt.getTime(),
    rule: { repeat: 'none' },
    endsBy: null,
  },
})

/** Find the date for the subject and the lead: the guest knows an occurrence by its former start. */
function aboutOf({ kind, content: { date, former, series } }: InvitationEmail): Date | null {
  if (date === null) return null
  return findOccurrence(kind, former?.series ?? series, date)?.startsAt ?? date
}

/**
 * The date to show: the next one, because the first of a running series is past; otherwise the first one of the rule.
 */
const shownOccurrence = (series: Series, now: Date): Pick<Occurrence, 'startsAt' | 'endsAt'> =>
  nextOccurrence(series, now) ??
  firstOccurrence(series) ?? {
    startsAt: series.startsAt,
    endsAt: new Date(series.startsAt.getTime() + series.durationMs),
  }

const firstStart = (series: Series): Date => firstOccurrence(series)?.startsAt ?? series.startsAt

/** More dates would be hard to read; the calendar has them all. */
const maxNamedDates = 5

const datedFields = new Set<ChangedField>(['time', 'rule', 'dates', 'occurrences'])

/**
 * List the changed and the restored dates, and the announced dates that no longer take place, unless the whole series
 * was moved.
 */
function datesOf({ kind, t, language, content, writtenAt, timeZone }: InvitationEmail): Fact[] {
  const { series, former, restored, changed } = content
  if (former === null || !changed.some((field) => datedFields.has(field))) return []
  // The dates that another meeting continues take place there.
  const was = kind === 'series-continued' ? withEnd(former.series, series.endsBy) : former.series
  const { removed, isMoved } = compareDates(was, series, [], writtenAt)
  const named = (label: string, dates: readonly string[]): Fact[] => {
    if (dates.length === 0) return []
    const lines = dates.slice(0, maxNamedDates)
    return [{ label, lines: dates.length > maxNamedDates ? [...lines, t('andMore')] : lines }]
  }
  const writeDate = (date: Date) => moment(language, date, timeZone)
  const changedNow = changedOccurrences(former.series, series).flatMap((start) => {
    const [was, is] = [occurrenceAt(former.series, start), occurrenceAt(series, start)]
    if (was === undefined || is === undefined || is.endsAt <= writtenAt) return []
    const times = span(language, is.startsAt, is.endsAt.getTime() - is.startsAt.getTime(), timeZone)
    return [`${writeDate(was.startsAt)} → ${times}${is.change?.topic ? `: ${is.change.topic}` : ''}`]
  })
  return [
    ...named(t('changedDates'), changedNow),
    ...named(t('restored'), restored.map(writeDate)),
    ...named(t('removed'), isMoved ? [] : removed.map(({ startsAt }) => writeDate(startsAt))),
  ]
}

const entranceOf = ({ t, content: { code, pin } }: InvitationEmail): Fact[] => [
  { label: t('fields.link'), lines: [groupedCode(code)], code: true },
  { label: t('fields.pin'), lines: [pin], code: true },
]

/** Group the digits of a code for reading aloud: `965 191 2175`. */
export const groupedCode = (code: string) => `${code.slice(0, 3)} ${code.slice(3, 6)} ${code.slice(6)}`

function otherGuestsOf({ t, language, otherGuests: { emails, names: given, count } }: InvitationEmail): Fact[] {
  if (count === 0) return []
  // A name never stands without its address: a host has written it.
  const written = emails.map((email, index) => (given[index] ? `${given[index]} (${email})` : email))
  const names = written.map((guest) => isolated(language, guest)).join(', ')
  const rest = count - emails.length
  return [{ label: t('otherGuests'), lines: [rest === 0 ? names : `${names}, +${rest}`] }]
}

/** Show the time on the reader's clock, and on that of the meeting's zone where it differs. */
function timeOf(
  { t, language, content, timeZone }: InvitationEmail,
  { startsAt, endsAt }: Pick<Occurrence, 'startsAt' | 'endsAt'>,
  isOff: boolean,
): TimeOf {
  const durationMs = endsAt.getTime() - startsAt.getTime()
  const { timeZone: meetingZone } = content.series
  return {
    ...timeHeading(language, startsAt, durationMs, timeZone),
    label: isOff ? t('wasToBe') : t('fields.time'),
    text: span(language, startsAt, durationMs, timeZone),
    elsewhere: showsOtherTime(startsAt, meetingZone, timeZone)
      ? span(language, startsAt, durationMs, meetingZone)
      : undefined,
    isOff,
  }
}

/** Show the old and the new value of a field. */
function changeOf(email: InvitationEmail, field: Exclude<ChangedField, 'dates' | 'occurrences'>): Change {
  const { t, content, language } = email
  const former = content.former ?? content
  const startOf = comparedStart(email)
  // A change of the meeting's zone alone moves nothing on the reader's clock: it shows only in the meeting's zone.
  const isZoneChanged = former.series.timeZone !== content.series.timeZone
  const written = (state: typeof former): string => {
    const { series } = state
    switch (field) {
      case 'topic':
        return state.topic
      case 'time':
        return span(language, startOf(series), series.durationMs, isZoneChanged ? series.timeZone : email.timeZone)
      case 'rule':
        return repetition(language, series)
      case 'description':
      case 'location':
        return state[field].trim() === '' ? t('nothing') : shortened(state[field].trim())
      case 'link':
        return groupedCode(state.code)
      case 'pin':
        return state.pin
    }
  }
  const [before, after] = [former, content].map((state) => isolated(language, written(state)))
  return {
    label: t(`fields.${field}`),
    before: before ?? '',
    after: after ?? '',
    beforeLabel: t('before'),
    afterLabel: t('after'),
  }
}

/** Compare the next dates of both series; when they are equal, the first ones, which must then have changed. */
function comparedStart({ content: { series, former }, writtenAt }: InvitationEmail): (series: Series) => Date {
  // The rule was changed, not its changed occurrences.
  const next = (one: Series) => shownOccurrence({ ...one, changed: [] }, writtenAt).startsAt
  const isSame = former !== null && next(former.series).getTime() === next(series).getTime()
  const isLong = former !== null && former.series.durationMs === series.durationMs
  return isSame && isLong && former.series.timeZone === series.timeZone ? firstStart : next
}

/** The beginning is enough to recognise the former description; the mail has the new one in full. */
const maxExcerptLength = 400

function shortened(text: string): string {
  const characters = [...text]
  return characters.length <= maxExcerptLength ? text : `${characters.slice(0, maxExcerptLength).join('')}…`
}

const questionOf = ({ t, links }: InvitationEmail) => ({
  text: t('question'),
  answers: invitationResponses.map((answer) => ({ label: t(`answers.${answer}`), address: links.answers[answer] })),
})

function footerOf({ t, language, hostName, baseUrl, email, isHost }: InvitationEmail, mayEnter: boolean): string[] {
  const why = t('footer', {
    host: isolated(language, hostName),
    address: isolated(language, baseUrl),
    recipient: isolated(language, email),
  })
  // The host needs no explanation.
  return [...(isHost ? [] : [why]), ...(mayEnter ? [t('keep')] : [])]
}

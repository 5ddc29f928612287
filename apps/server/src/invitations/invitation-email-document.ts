import { invitationResponses } from '@parley/contract'
import type { ChangedField, InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import { compareDates } from '@parley/rules/recurrence/exclusions'
import { firstOccurrence, nextOccurrence, type Series } from '@parley/rules/recurrence/recurrence'
import { isolated } from '@parley/rules/text/isolated-text'
import type { Change, Fact, MailDocument } from '../email/mail-document.ts'
import type { InvitationEmail } from './invitation-email.ts'
import { day, moment, repetition, showsOtherTime, span } from './times-in-words.ts'

type Purpose = 'asks' | 'reminds' | 'calls-off'

/** The parts of an email that depend on its purpose: invitation, reminder or cancellation. */
const purposes: Record<InvitationEmailKind, Purpose> = {
  invitation: 'asks',
  update: 'asks',
  reminder: 'reminds',
  cancellation: 'calls-off',
  removal: 'calls-off',
  'occurrence-cancellation': 'calls-off',
  'series-end': 'calls-off',
}

/** Write the content of an email in the reader's language and time zone. */
export function invitationEmailDocument(email: InvitationEmail): MailDocument {
  const { kind, content, words, language, links } = email
  const { topic, series, date, description } = content
  const purpose = email.isOver && kind === 'update' ? 'calls-off' : purposes[kind]
  const host = isolated(language, email.hostName)
  const start = shownStart(series, email.writtenAt)
  const about = date ?? start
  const repeats = series.rule.repeat !== 'none' && purpose !== 'reminds'
  return {
    language,
    subject: words.subjects[kind](isolated(language, topic), day(words, about, series.timeZone)),
    title: topic,
    lead: words.leads[kind](host, moment(words, about, series.timeZone)),
    paragraphs: [],
    notes: [],
    changes: {
      heading: words.changed,
      rows: content.changed.filter((field) => field !== 'dates').map((field) => changeOf(email, field)),
      dates: datesOf(email),
    },
    facts: [
      timesOf(email, kind === 'reminder' || kind === 'occurrence-cancellation' ? about : start),
      ...(repeats ? [{ label: words.fields.rule, lines: [repetition(words, series)] }] : []),
      { label: words.host, lines: [host] },
      ...(purpose === 'calls-off' ? [] : entranceOf(email)),
    ],
    description:
      purpose === 'asks' && description.trim() !== ''
        ? { heading: words.fields.description, text: description }
        : undefined,
    action: purpose === 'calls-off' ? undefined : { label: words.join, address: links.join },
    add: secondLinkOf(email, purpose),
    question: purpose === 'asks' ? questionOf(email) : undefined,
    footer: footerOf(email, purpose !== 'calls-off'),
  }
}

function secondLinkOf({ words, links }: InvitationEmail, purpose: Purpose): MailDocument['add'] {
  if (purpose === 'reminds') return { label: words.reminders.link, address: links.stopReminders }
  return purpose === 'asks' ? { label: words.add, address: links.add } : undefined
}

/**
 * The date to show: the next one, because the first of a running series is past; otherwise the first one of the rule.
 */
const shownStart = (series: Series, now: Date): Date => nextOccurrence(series, now)?.startsAt ?? firstStart(series)

const firstStart = (series: Series): Date => firstOccurrence(series)?.startsAt ?? series.startsAt

/** More dates would be hard to read; the calendar has them all. */
const maxNamedDates = 5

const datedFields = new Set<ChangedField>(['time', 'rule', 'dates'])

/** List the restored dates, and the announced dates that no longer take place, unless the whole series was moved. */
function datesOf({ words, content, writtenAt }: InvitationEmail): Fact[] {
  const { series, former, restored, changed } = content
  if (former === null || !changed.some((field) => datedFields.has(field))) return []
  const { removed, isMoved } = compareDates(former.series, series, [], writtenAt)
  const named = (label: string, dates: readonly Date[]): Fact[] => {
    if (dates.length === 0) return []
    const lines = dates.slice(0, maxNamedDates).map((date) => moment(words, date, series.timeZone))
    return [{ label, lines: dates.length > maxNamedDates ? [...lines, words.andMore] : lines }]
  }
  return [
    ...named(words.restored, restored),
    ...named(words.removed, isMoved ? [] : removed.map(({ startsAt }) => startsAt)),
  ]
}

const entranceOf = ({ words, content: { code, pin } }: InvitationEmail): Fact[] => [
  { label: words.fields.link, lines: [groupedCode(code)], code: true },
  { label: words.fields.pin, lines: [pin], code: true },
]

/** Grouped for reading aloud: `965 191 2175`. */
export const groupedCode = (code: string) => `${code.slice(0, 3)} ${code.slice(3, 6)} ${code.slice(6)}`

/** In the meeting's zone, and in the reader's when the time differs there. */
function timesOf({ kind, words, content: { series }, readerTimeZone }: InvitationEmail, startsAt: Date): Fact {
  const { durationMs, timeZone } = series
  const lines = [span(words, startsAt, durationMs, timeZone)]
  if (readerTimeZone !== undefined && showsOtherTime(startsAt, timeZone, readerTimeZone)) {
    lines.push(`${words.yourTime}: ${span(words, startsAt, durationMs, readerTimeZone)}`)
  }
  return {
    label: kind === 'cancellation' || kind === 'occurrence-cancellation' ? words.wasToBe : words.fields.time,
    lines,
  }
}

/** The old and the new value. */
function changeOf(email: InvitationEmail, field: Exclude<ChangedField, 'dates'>): Change {
  const { words, content, language } = email
  const former = content.former ?? content
  const startOf = comparedStart(email)
  const written = (state: typeof former): string => {
    const { series } = state
    switch (field) {
      case 'topic':
        return state.topic
      case 'time':
        return span(words, startOf(series), series.durationMs, series.timeZone)
      case 'rule':
        return repetition(words, series)
      case 'description':
        return state.description.trim() === '' ? words.nothing : shortened(state.description.trim())
      case 'link':
        return groupedCode(state.code)
      case 'pin':
        return state.pin
    }
  }
  const [before, after] = [former, content].map((state) => isolated(language, written(state)))
  return {
    label: words.fields[field],
    before: before ?? '',
    after: after ?? '',
    beforeLabel: words.before,
    afterLabel: words.after,
  }
}

/** Compare the next dates of both series; when they are equal, the first ones, which must then have changed. */
function comparedStart({ content: { series, former }, writtenAt }: InvitationEmail): (series: Series) => Date {
  const next = (one: Series) => shownStart(one, writtenAt)
  const isSame = former !== null && next(former.series).getTime() === next(series).getTime()
  const isLong = former !== null && former.series.durationMs === series.durationMs
  return isSame && isLong && former.series.timeZone === series.timeZone ? firstStart : next
}

/** The beginning identifies the former description; the new one follows in full. */
const maxExcerptLength = 400

function shortened(text: string): string {
  const characters = [...text]
  return characters.length <= maxExcerptLength ? text : `${characters.slice(0, maxExcerptLength).join('')}…`
}

const questionOf = ({ words, links }: InvitationEmail) => ({
  text: words.question,
  answers: invitationResponses.map((answer) => ({ label: words.answers[answer], address: links.answers[answer] })),
})

function footerOf({ words, language, hostName, baseUrl, email, isHost }: InvitationEmail, mayEnter: boolean): string[] {
  const why = words.footer(isolated(language, hostName), isolated(language, baseUrl), isolated(language, email))
  // The host needs no explanation.
  return [...(isHost ? [] : [why]), ...(mayEnter ? [words.keep] : [])]
}

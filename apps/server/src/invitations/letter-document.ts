import { invitationResponses } from '@parley/contract'
import type { ChangedField, LetterKind } from '@parley/rules/invitation-changes'
import { firstOccurrence, type Series } from '@parley/rules/recurrence'
import type { Letter } from './letter.ts'
import { type Change, type Fact, isolated, type MailDocument } from './mail-document.ts'
import { day, moment, repetition, showsOtherTime, span } from './times-in-words.ts'

/** What of a letter depends on whether one is asked to come, reminded, or told that there is nothing to come to. */
const purposes: Record<LetterKind, 'asks' | 'reminds' | 'calls-off'> = {
  invitation: 'asks',
  update: 'asks',
  reminder: 'reminds',
  cancellation: 'calls-off',
  removal: 'calls-off',
  'occurrence-cancellation': 'calls-off',
  'series-end': 'calls-off',
}

/** What one letter says, in the language and the zone of the person who gets it. */
export function letterDocument(letter: Letter): MailDocument {
  const { kind, content, words, language, links } = letter
  const { topic, series, date, description } = content
  const purpose = purposes[kind]
  const host = isolated(language, letter.hostName)
  const about = date ?? firstStart(series)
  const repeats = series.rule.repeat !== 'none' && purpose !== 'reminds'
  return {
    language,
    subject: words.subjects[kind](isolated(language, topic), day(words, about, series.timeZone)),
    title: topic,
    lead: words.leads[kind](host, moment(words, about, series.timeZone)),
    changes: { heading: words.changed, rows: content.changed.map((field) => changeOf(letter, field)) },
    facts: [
      timesOf(letter, kind === 'reminder' || kind === 'occurrence-cancellation' ? about : firstStart(series)),
      ...(repeats ? [{ label: words.repeats, lines: [repetition(words, series)] }] : []),
      { label: words.host, lines: [host] },
      ...(purpose === 'calls-off' ? [] : entranceOf(letter)),
    ],
    description:
      purpose === 'asks' && description.trim() !== '' ? { heading: words.description, text: description } : undefined,
    join: purpose === 'calls-off' ? undefined : { label: words.join, address: links.join },
    add: purpose === 'asks' ? { label: words.add, address: links.add } : undefined,
    question: purpose === 'asks' ? questionOf(letter) : undefined,
    footer: footerOf(letter, purpose !== 'calls-off'),
  }
}

/** The start of a series is its first date only if the rule chooses that day (meetings.md 4). */
const firstStart = (series: Series): Date => firstOccurrence(series)?.startsAt ?? series.startsAt

const entranceOf = ({ words, content: { code, pin } }: Letter): Fact[] => [
  { label: words.meetingId, lines: [groupedCode(code)], code: true },
  { label: words.pin, lines: [pin], code: true },
]

/** As people read it out: `965 191 2175` (meetings.md 1). */
export const groupedCode = (code: string) => `${code.slice(0, 3)} ${code.slice(3, 6)} ${code.slice(6)}`

/** In the meeting's zone, and in the reader's where that shows another time. */
function timesOf({ kind, words, content: { series }, readerTimeZone }: Letter, startsAt: Date): Fact {
  const { durationMs, timeZone } = series
  const lines = [span(words, startsAt, durationMs, timeZone)]
  if (readerTimeZone !== undefined && showsOtherTime(startsAt, timeZone, readerTimeZone)) {
    lines.push(`${words.yourTime}: ${span(words, startsAt, durationMs, readerTimeZone)}`)
  }
  return { label: kind === 'cancellation' || kind === 'occurrence-cancellation' ? words.wasToBe : words.when, lines }
}

/** Old and new, side by side. */
function changeOf({ words, content, language }: Letter, field: ChangedField): Change {
  const former = content.former ?? content
  const written = (told: typeof former): string => {
    const { series } = told
    switch (field) {
      case 'topic':
        return told.topic
      case 'time':
        return span(words, firstStart(series), series.durationMs, series.timeZone)
      case 'rule':
        return repetition(words, series)
      case 'description':
        return told.description.trim() === '' ? words.nothing : shortened(told.description.trim())
      case 'link':
        return groupedCode(told.code)
      case 'pin':
        return told.pin
    }
  }
  const [before, after] = [former, content].map((told) => isolated(language, written(told)))
  return {
    ...{ label: words.fields[field], before: before ?? '', after: after ?? '' },
    ...{ beforeLabel: words.before, afterLabel: words.after },
  }
}

/** Of a long description its beginning says which it was; the new one stands below in full. */
const longestExcerpt = 400

function shortened(text: string): string {
  const characters = [...text]
  return characters.length <= longestExcerpt ? text : `${characters.slice(0, longestExcerpt).join('')}…`
}

const questionOf = ({ words, links }: Letter) => ({
  text: words.question,
  answers: invitationResponses.map((answer) => ({ label: words.answers[answer], address: links.answers[answer] })),
})

function footerOf({ words, language, hostName, baseUrl, email, isHost }: Letter, mayEnter: boolean): string[] {
  const why = words.footer(isolated(language, hostName), isolated(language, baseUrl), isolated(language, email))
  // The host knows why.
  return [...(isHost ? [] : [why]), ...(mayEnter ? [words.keep] : [])]
}

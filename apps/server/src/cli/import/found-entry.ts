import type { BodyOf, createMeeting } from '@parley/contract'
import { type MeetingText, meetingTexts } from '@parley/contract/meeting-fields'
import type { OccurrenceChange } from '@parley/rules/recurrence/recurrence'

/** What the readers of files find, and what they have in common. */

export type RequestedBody = BodyOf<typeof createMeeting>

/** A meeting as a file has it. */
export type FoundMeeting = {
  kind: 'meeting'
  /** The line or row in the file. */
  place: string
  topic: string
  /** What the file calls it, the same in each export. */
  uid: string
  /** Absent where the file does not name one. */
  organizer: string | undefined
  /** Whether it has neither guests nor a link to a call: the entry of one person. */
  isAppointment: boolean
  body: RequestedBody
  /** The days on which the rule of the file has its first dates, to compare with ours; absent for a single meeting. */
  days: readonly string[] | undefined
  cancelled: readonly Date[]
  changed: readonly OccurrenceChange[]
  /** What Parley does not take over, for people. */
  notes: readonly string[]
}

export type FoundPerson = { kind: 'person'; place: string; email: string }

/** `refused`: the file is wrong there; `skipped`: it is no meeting or person for Parley. */
type Omitted = { kind: 'refused' | 'skipped'; place: string; topic: string; reason: string }

export type FoundEntry = FoundMeeting | FoundPerson | Omitted

/** @throws Unreadable */
export class Unreadable extends Error {}

/** More than anyone's calendar of ten years. */
export const maxEntries = 20_000

const calls =
  /https?:\/\/(?:[\w-]+\.)*(?:zoom\.us|meet\.google\.com|teams\.microsoft\.com|teams\.live\.com|webex\.com|whereby\.com|meet\.jit\.si|gotomeeting\.com|cal\.com\/video|app\.cal\.com\/video)[^\s<>"]*/i

/** The link to a call of another service in a text. */
export const callIn = (text: string): string | undefined => calls.exec(text)?.[0]

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
}

/** Calendars write descriptions as HTML; Parley's are plain text. */
function withoutHtml(text: string): string {
  if (!/<\/?(?:a|b|br|div|html|i|li|ol|p|span|strong|u|ul)\b[^<>]*>/i.test(text)) return text
  return text
    .replaceAll(/<br\b[^<>]*>|<\/(?:p|div|li)>/gi, '\n')
    .replaceAll(/<li\b[^<>]*>/gi, '- ')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity)
}

/** Prepare a text of a file for a field of a meeting: what the field refuses is taken out, and notes say what is cut. */
function textFor(name: MeetingText, sent: string, notes: string[]): string {
  const { maxLength, lines } = meetingTexts[name]
  const plain = withoutHtml(sent)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Cc}--[\t\n]]|[\u202d\u202e]/gv, '')
    .replaceAll(/\n{3,}/g, '\n\n')
  const text = (lines ? plain : plain.replaceAll(/[\t\n\u2028\u2029]+/g, ' ')).trim()
  const characters = [...text]
  if (characters.length <= maxLength) return text
  notes.push(`the ${name} is cut to ${maxLength} characters`)
  return `${characters.slice(0, maxLength - 1).join('')}…`
}

/** The texts of a meeting. A place that is only a link to another service's call is left out: people would go there. */
export function textsFor(sent: Record<MeetingText, string>, notes: string[]): Record<MeetingText, string> {
  const topic = textFor('topic', sent.topic, notes)
  const description = textFor('description', sent.description, notes)
  const place = textFor('location', sent.location, notes)
  const call = callIn(place)
  if (call !== undefined) notes.push('the place is a link to another service, and is left out')
  const described = callIn(description)
  if (described !== undefined) notes.push(`the description has a link to another service: ${described}`)
  return { topic: topic === '' ? 'Untitled' : topic, description, location: call === undefined ? place : '' }
}

/** The fields of a request that files say alike. */
export const usualFields = { isPinEnabled: true, advancedOptions: {} } as const

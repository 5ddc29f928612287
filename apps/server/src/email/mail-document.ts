import type { Language } from '@parley/texts/languages'
import type { MailBrand } from './mail-brand.ts'

/** The content of a mail, from which its text and its HTML are written. */
export type MailDocument = {
  language: Language
  /** The look of the organisation that the mail is from; the product's when absent. */
  brand?: MailBrand
  subject: string
  /** Above the title; empty for none. */
  lead: string
  /** The largest words of the mail below its title. `isOff`: it is struck out, because it does not take place. */
  time?: TimeOf
  /** Whether the title is struck out, because nothing of it takes place. */
  isOff?: boolean
  /** A word above everything, such as "Cancelled". */
  banner?: string
  /** The topic of the meeting, or the subject of the mail. */
  title: string
  /** What a person writes to the reader, set apart: under the title and the time. Its addresses are no links. */
  message?: { heading: string; text: string } | undefined
  /** Sentences before the button, and after it. */
  paragraphs: readonly string[]
  notes: readonly string[]
  /** Changes: old and new values, and restored or removed dates. */
  changes: { heading: string; rows: readonly Change[]; dates: readonly Fact[] }
  facts: readonly Fact[]
  /** The host's description. */
  description: { heading: string; text: string } | undefined
  /** The main action. */
  action: Link | undefined
  /** Whether the question comes before the main action: there is time to answer before there is reason to act. */
  asksFirst?: boolean
  /** A secondary action. */
  add: Link | undefined
  question: { text: string; answers: readonly Link[] } | undefined
  footer: readonly string[]
}

/** What a large heading names one below the other: the day, the hours, and whose clock they are on. */
export type TimeHeading = {
  /** `Monday, 7 January 2030`; with the hours of both days where the meeting ends on another one. */
  day: string
  /** `09:00–09:30`; empty where `day` has the hours. */
  hours: string
  /** `London, UTC`. */
  zone: string
}
/** `text` is the whole in one line for plain text; `elsewhere` the same time on the clock of the meeting's zone. */
export type TimeOf = TimeHeading & { label: string; text: string; elsewhere: string | undefined; isOff: boolean }
export type Change = { label: string; before: string; after: string; beforeLabel: string; afterLabel: string }
/** `code`: the lines are numbers or PINs, which are written from left to right in every language. */
export type Fact = { label: string; lines: readonly string[]; code?: boolean }
/** `isShown` also prints the address below the button: people should check links that give access to accounts. */
export type Link = { label: string; address: string; isShown?: boolean }

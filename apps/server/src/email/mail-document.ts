import type { Language } from '@parley/rules/text/language'

/** What a mail says, without a form: written as text and as HTML from this one value. */
export type MailDocument = {
  language: Language
  subject: string
  /** Above the title; empty for none. */
  lead: string
  /** The topic of a meeting, or what a mail is about. */
  title: string
  /** Sentences before the button, and after it. */
  paragraphs: readonly string[]
  notes: readonly string[]
  /** What is different from before: old and new values, and dates that came back or went. */
  changes: { heading: string; rows: readonly Change[]; dates: readonly Fact[] }
  facts: readonly Fact[]
  /** What the host wrote. */
  description: { heading: string; text: string } | undefined
  /** The one thing to do. */
  action: Link | undefined
  /** A second, lesser thing to do. */
  add: Link | undefined
  question: { text: string; answers: readonly Link[] } | undefined
  footer: readonly string[]
}

export type Change = { label: string; before: string; after: string; beforeLabel: string; afterLabel: string }
/** `code` is a number or a PIN, which is written from the left in every language. */
export type Fact = { label: string; lines: readonly string[]; code?: boolean }
/** With `isShown` the address stands below the button as well: links that open accounts are to be looked at. */
export type Link = { label: string; address: string; isShown?: boolean }

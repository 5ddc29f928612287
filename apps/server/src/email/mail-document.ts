import type { Language } from '@parley/texts/languages'

/** The content of a mail, from which its text and its HTML are written. */
export type MailDocument = {
  language: Language
  subject: string
  /** Above the title; empty for none. */
  lead: string
  /** The topic of the meeting, or the subject of the mail. */
  title: string
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
  /** A secondary action. */
  add: Link | undefined
  question: { text: string; answers: readonly Link[] } | undefined
  footer: readonly string[]
}

export type Change = { label: string; before: string; after: string; beforeLabel: string; afterLabel: string }
/** `code`: the lines are numbers or PINs, which are written from left to right in every language. */
export type Fact = { label: string; lines: readonly string[]; code?: boolean }
/** `isShown` also prints the address below the button: people should check links that give access to accounts. */
export type Link = { label: string; address: string; isShown?: boolean }

import { directionOf, type Language } from '@parley/rules/language'

/** What a mail says, without a form: written as text and as HTML from this one value. */
export type MailDocument = {
  language: Language
  subject: string
  /** The topic of the meeting. */
  title: string
  lead: string
  /** What is different from before. */
  changes: { heading: string; rows: readonly Change[] }
  facts: readonly Fact[]
  /** What the host wrote. */
  description: { heading: string; text: string } | undefined
  join: Link | undefined
  add: Link | undefined
  question: { text: string; answers: readonly Link[] } | undefined
  footer: readonly string[]
}

export type Change = { label: string; before: string; after: string; beforeLabel: string; afterLabel: string }
/** `code` is a number or a PIN, which is written from the left in every language. */
export type Fact = { label: string; lines: readonly string[]; code?: boolean }
export type Link = { label: string; address: string }

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * A piece of somebody else's text in a sentence of ours: where either is written from the right, it is isolated (UAX 9,
 * 2.4), so that neither tears the other apart. Isolates that the piece itself leaves open are closed.
 */
export function isolated(language: Language, piece: string): string {
  if (directionOf(language) === 'ltr' && !RIGHT_TO_LEFT.test(piece)) return piece
  return `\u2068${piece.replaceAll(/[\u2066-\u2069]/g, '')}\u2069`
}

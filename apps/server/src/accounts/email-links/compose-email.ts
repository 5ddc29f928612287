import type { Language } from '@parley/rules/text/language'
import { documentHtml } from '../../email/document-html.ts'
import { documentText } from '../../email/document-text.ts'
import type { MailDocument } from '../../email/mail-document.ts'

/** A mail of plain sentences to one person, with at most one thing to do. */
export type Email = {
  to: string
  language: Language
  subject: string
  paragraphs: readonly string[]
  /** Stands after the first paragraph. */
  link?: { label: string; address: string }
}

export type EmailBodies = { text: string; html: string }

/** Its text and its HTML, by the same composer as the mails about meetings. */
export function composeEmail(letter: Email): EmailBodies {
  const document = documentOf(letter)
  return { text: documentText(document), html: documentHtml(document) }
}

const documentOf = ({ language, subject, paragraphs: [first = '', ...others], link }: Email): MailDocument => ({
  language,
  subject,
  lead: '',
  title: subject,
  paragraphs: [first],
  notes: others,
  action: link && { ...link, isShown: true },
  changes: { heading: '', rows: [], dates: [] },
  facts: [],
  description: undefined,
  add: undefined,
  question: undefined,
  footer: [],
})

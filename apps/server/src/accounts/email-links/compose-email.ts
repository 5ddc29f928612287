import type { Language } from '@parley/texts/languages'
import { documentHtml } from '../../email/document-html.ts'
import { documentText } from '../../email/document-text.ts'
import type { MailDocument } from '../../email/mail-document.ts'

/** An email of plain paragraphs to one person, with at most one link. */
export type Email = {
  to: string
  language: Language
  subject: string
  paragraphs: readonly string[]
  /** Placed after the first paragraph. */
  link?: { label: string; address: string }
}

type EmailBodies = { text: string; html: string }

/** Compose text and HTML with the template that emails about meetings use. */
export function composeEmail(message: Email): EmailBodies {
  const document = documentOf(message)
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

import { isolated } from '@parley/rules/text/isolated-text'
import { documentHtml } from '../../email/document-html.ts'
import { documentText } from '../../email/document-text.ts'
import type { Mail } from '../../email/mail.ts'
import type { Fact, MailDocument } from '../../email/mail-document.ts'
import { moment, span } from '../times-in-words.ts'
import { unsubscribeHeaders } from '../unsubscribe-headers.ts'
import { wordsIn } from '../words/in-language.ts'
import { type DueDigest, maxInDigest, type NewAnswer } from './digest-store.ts'

type Digest = {
  host: Pick<DueDigest, 'email' | 'language'>
  /** One more than `maxInDigest` where there are more. */
  answers: readonly NewAnswer[]
  baseUrl: string
  stopLink: string
}

/** Compose the daily mail with the answers to a host's meetings, in the host's language. */
export function composeDigest({ host, answers, baseUrl, stopLink }: Digest): Omit<Mail, 'messageId'> {
  const language = host.language || 'en'
  const words = wordsIn(language)
  const shown = answers.slice(0, maxInDigest)
  const isCut = answers.length > shown.length
  const document: MailDocument = {
    language,
    subject: words.digest.subject(isCut ? `${shown.length}+` : String(shown.length)),
    title: words.digest.title,
    lead: '',
    paragraphs: [],
    notes: isCut ? [words.andMore] : [],
    changes: { heading: '', rows: [], dates: [] },
    facts: factsOf(shown),
    description: undefined,
    action: { label: words.digest.open, address: `${baseUrl}/meetings` },
    add: { label: words.digest.link, address: stopLink },
    question: undefined,
    footer: [words.digest.footer(isolated(language, baseUrl))],
  }

  function factsOf(listed: readonly NewAnswer[]): Fact[] {
    const byMeeting = Map.groupBy(listed, ({ meetingId }) => meetingId)
    return [...byMeeting.values()].map((ofMeeting) => ({
      label: isolated(language, ofMeeting[0]?.topic ?? ''),
      lines: ofMeeting.map(lineOf),
    }))
  }

  function lineOf({ email, response, comment, date, timeZone, proposedStart, proposedEnd }: NewAnswer): string {
    const person = isolated(language, email)
    const about = date === null ? '' : ` (${moment(words, date, timeZone)})`
    const remark = comment === null ? '' : ` – ${isolated(language, comment.replaceAll(/\s+/g, ' '))}`
    if (response !== null) return `${person}: ${words.answers[response]}${about}${remark}`
    if (proposedStart === null || proposedEnd === null) return `${person}${about}${remark}`
    const times = span(words, proposedStart, proposedEnd.getTime() - proposedStart.getTime(), timeZone)
    return `${words.digest.proposes(person, times)}${about}${remark}`
  }

  return {
    to: host.email,
    subject: document.subject,
    text: documentText(document),
    html: documentHtml(document),
    headers: unsubscribeHeaders(stopLink),
  }
}

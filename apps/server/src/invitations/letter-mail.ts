import type { LetterKind } from '@parley/rules/invitation-changes'
import type { Service } from '../access/service.ts'
import type { Mail } from '../mail/mail.ts'
import type { CalendarInput } from './calendar/calendar-input.ts'
import { composeCalendar } from './calendar/compose-calendar.ts'
import { describeMeeting } from './calendar-meeting-input.ts'
import { documentHtml } from './document-html.ts'
import { documentText } from './document-text.ts'
import { type Letter, readLetter } from './letter.ts'
import { letterDocument } from './letter-document.ts'
import type { LetterRow } from './letter-store.ts'
import { calendarUid, letterMessageId } from './message-names.ts'

/**
 * What a calendar is told (notifications.md 1; RFC 5546, 3.2). The end of a series that has been held is an earlier
 * UNTIL, so that the past stays; a reminder is none of a calendar's business.
 */
const calendarParts: Record<LetterKind, Pick<CalendarInput, 'method' | 'status'> | undefined> = {
  invitation: { method: 'REQUEST', status: 'CONFIRMED' },
  update: { method: 'REQUEST', status: 'CONFIRMED' },
  'series-end': { method: 'REQUEST', status: 'CONFIRMED' },
  cancellation: { method: 'CANCEL', status: 'CANCELLED' },
  'occurrence-cancellation': { method: 'CANCEL', status: 'CANCELLED' },
  removal: { method: 'CANCEL', status: 'CONFIRMED' },
  reminder: undefined,
}

/** The mail of one letter; put together anew it is the same, but for what its reader has said about themselves since. */
export function letterMail(service: Pick<Service, 'sealedBox' | 'config'>, row: LetterRow): Mail {
  const { sealedBox, config } = service
  const letter = readLetter(service, row)
  const document = letterDocument(letter)
  const nameOf = (noticeId: string) =>
    letterMessageId(sealedBox, config.baseUrl, { noticeId, addressKey: row.addressKey })
  const last = row.earlier.at(-1)
  const calendar = calendarOf(letter, row, config.reminderMinutes)
  return {
    to: row.email,
    replyTo: { name: letter.hostName, address: letter.hostEmail },
    subject: document.subject,
    text: documentText(document),
    html: documentHtml(document),
    messageId: nameOf(row.noticeId),
    // RFC 5322, 3.6.4.
    ...(last !== undefined && { inReplyTo: nameOf(last), references: row.earlier.map(nameOf) }),
    ...(calendar !== undefined && { calendar }),
  }
}

function calendarOf(letter: Letter, row: LetterRow, usualReminderMinutes: number): Mail['calendar'] {
  const part = calendarParts[letter.kind]
  if (part === undefined) return undefined
  const { content, links, words } = letter
  const isOne = letter.kind === 'occurrence-cancellation' && content.date !== null
  const text = composeCalendar({
    ...part,
    uid: calendarUid(row.meetingId, letter.baseUrl),
    sequence: row.sequence,
    stamp: row.createdAt,
    organizer: { name: letter.hostName, email: letter.hostEmail },
    attendee: {
      ...(letter.readerName !== undefined && { name: letter.readerName }),
      email: letter.email,
      ...(letter.response !== null && { response: letter.response }),
    },
    topic: content.topic,
    description: describeMeeting(words, { ...content, link: links.join }),
    location: links.join,
    url: links.join,
    series: content.series,
    ...(isOne && content.date !== null && { occurrence: content.date }),
    reminderMinutes: row.reminderMinutes ?? usualReminderMinutes,
  })
  return { method: part.method, text }
}

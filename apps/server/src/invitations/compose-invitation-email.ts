import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import type { Service } from '../access/service.ts'
import { documentHtml } from '../email/document-html.ts'
import { documentText } from '../email/document-text.ts'
import type { Mail } from '../email/mail.ts'
import { senderOf } from '../email/sender.ts'
import type { Config } from '../platform/config/config.ts'
import type { CalendarInput } from './calendar/calendar-input.ts'
import { composeCalendar } from './calendar/compose-calendar.ts'
import { answersTo, describeEntrance } from './calendar-meeting-input.ts'
import { type InvitationEmail, type InvitationEmailRow, readInvitationEmail } from './invitation-email.ts'
import { invitationEmailDocument } from './invitation-email-document.ts'
import { calendarUid, emailMessageId } from './message-ids.ts'
import { unsubscribeHeaders } from './unsubscribe-headers.ts'

type CalendarPart = { method: 'REQUEST' | 'CANCEL'; status: CalendarInput['status'] }

/**
 * The calendar part of each kind of email (RFC 5546, 3.2). A series that ends early keeps its past by an earlier UNTIL;
 * a reminder has no calendar part.
 */
const calendarParts: Record<InvitationEmailKind, CalendarPart | undefined> = {
  invitation: { method: 'REQUEST', status: 'CONFIRMED' },
  update: { method: 'REQUEST', status: 'CONFIRMED' },
  'series-end': { method: 'REQUEST', status: 'CONFIRMED' },
  'series-continued': { method: 'REQUEST', status: 'CONFIRMED' },
  cancellation: { method: 'CANCEL', status: 'CANCELLED' },
  'occurrence-cancellation': { method: 'CANCEL', status: 'CANCELLED' },
  'occurrence-update': { method: 'REQUEST', status: 'CONFIRMED' },
  removal: { method: 'CANCEL', status: 'CONFIRMED' },
  reminder: undefined,
}

/**
 * Compose the mail of an invitation email. Composing it again gives the same mail, unless the reader has changed their
 * profile since.
 */
export function composeInvitationEmail(service: Pick<Service, 'encryption' | 'config'>, row: InvitationEmailRow): Mail {
  const { encryption, config } = service
  const email = readInvitationEmail(service, row)
  const document = invitationEmailDocument(email)
  const nameOf = (mailId: string) => emailMessageId(encryption, config.baseUrl, { mailId, addressKey: row.addressKey })
  const last = row.earlier.at(-1)
  const calendar = calendarOf(email, row, service)
  return {
    to: row.email,
    ...(!email.isHost && { fromName: senderName(email, config) }),
    replyTo: { name: email.hostName, address: email.hostEmail },
    subject: document.subject,
    text: documentText(document),
    html: documentHtml(document),
    messageId: nameOf(row.id),
    // RFC 5322, 3.6.4.
    ...(last !== undefined && { inReplyTo: nameOf(last), references: row.earlier.map(nameOf) }),
    ...(calendar !== undefined && { calendar }),
    ...(email.kind === 'reminder' && { headers: unsubscribeHeaders(email.links.stopReminders) }),
  }
}

/** The sender's name when MAIL_FROM has none. */
const productName = 'Parley'

/**
 * The host's name, because mail programs show little else, and the service's, because the host did not send the mail.
 */
const senderName = ({ words, hostName }: InvitationEmail, { mailFrom }: Pick<Config, 'mailFrom'>): string =>
  words.via(hostName, senderOf(mailFrom).name || productName)

function calendarOf(
  email: InvitationEmail,
  row: InvitationEmailRow,
  { encryption, config }: Pick<Service, 'encryption' | 'config'>,
): Mail['calendar'] {
  const part = calendarParts[email.kind]
  if (part === undefined) return undefined
  const { content, links, words } = email
  const isOne = email.kind === 'occurrence-cancellation' || email.kind === 'occurrence-update'
  const text = composeCalendar({
    ...part,
    uid: calendarUid(row.meetingId, email.baseUrl),
    sequence: row.sequence,
    stamp: row.createdAt,
    organizer: {
      name: email.hostName,
      email: email.hostEmail,
      sentBy: senderOf(config.mailFrom).address,
      ...answersTo(encryption, { id: row.meetingId, replyAddress: row.replyAddress }, row.addressKey),
    },
    attendee: {
      ...(email.readerName !== undefined && { name: email.readerName }),
      email: email.email,
      ...(email.response !== null && { response: email.response }),
      occurrences: email.ownResponses,
    },
    topic: content.topic,
    description: content.description,
    entrance: describeEntrance(words, { ...content, link: links.join }),
    location: links.join,
    url: links.join,
    conference: { label: words.join, address: links.join },
    series: content.series,
    ...(isOne && content.date !== null && { occurrence: content.date }),
    reminderMinutes: row.reminderMinutes ?? config.reminderMinutes,
  })
  return { method: part.method, text }
}

import { mapTexts } from '@parley/contract/meeting-fields'
import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import { documentHtml } from '../email/document-html.ts'
import { documentText } from '../email/document-text.ts'
import { bytesOfHead, type Mail, maxBytesIn, maxTransferBytes, senderOf, transferBytesOfImage } from '../email/mail.ts'
import { logosOf, mailBrandOf } from '../email/mail-brand.ts'
import type { MailDocument } from '../email/mail-document.ts'
import type { Config } from '../platform/config/config.ts'
import type { Encryption } from '../platform/encryption.ts'
import { productName } from '../platform/product-name.ts'
import { CalendarBudget, mailLimits } from './calendar/calendar-budget.ts'
import type { CalendarInput } from './calendar/calendar-input.ts'
import { composeCalendar } from './calendar/compose-calendar.ts'
import { answersTo, calendarUid, describeEntrance } from './calendar-meeting-input.ts'
import type { Dependencies } from './dependencies.ts'
import { unsubscribeHeaders } from './guest-links.ts'
import {
  type InvitationEmail,
  type InvitationEmailRow,
  invitationEmailDocument,
  readInvitationEmail,
} from './invitation-email.ts'

/** Far below what mail servers refuse, and small enough for phones. */
export const maxGuestMailBytes = 512 * 1024

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
  'answer-request': { method: 'REQUEST', status: 'CONFIRMED' },
}

/**
 * Compose a mail to a guest, of `maxGuestMailBytes` at most. Composing it again gives the same mail, unless the reader's
 * profile or the other guests have changed since.
 *
 * The calendar has the bytes that text and HTML leave. A mail contains it twice: as an alternative to the text, which
 * calendar programs read, and as an attachment. If it does not fit twice, the attachment is left out. If it does not fit
 * once, it is shortened, and the mail says so.
 */
export async function composeInvitationEmail(
  service: Pick<Dependencies, 'encryption' | 'config'>,
  row: InvitationEmailRow,
): Promise<Mail> {
  const { encryption, config } = service
  const email = readInvitationEmail(service, row)
  const brand = mailBrandOf(row.brand)
  const document = { ...invitationEmailDocument(email), brand }
  const nameOf = (mailId: string) => emailMessageId(encryption, config.baseUrl, { mailId, addressKey: row.addressKey })
  const last = row.earlier.at(-1)
  const head: Pick<Mail, 'messageId' | 'inReplyTo' | 'references'> = {
    messageId: nameOf(row.id),
    // RFC 5322, 3.6.4.
    ...(last !== undefined && { inReplyTo: nameOf(last), references: row.earlier.map(nameOf) }),
  }
  const written = writeDocument(document)
  const bytesOfLogos = [brand.logos.light, brand.logos.dark].map((logo) => (logo ? transferBytesOfImage(logo.size) : 0))
  const bytesLeft =
    maxGuestMailBytes -
    bytesOfHead(head) -
    bytesOfNote -
    written.maxBytes -
    bytesOfLogos.reduce((sum, one) => sum + one)
  const budget = new CalendarBudget(mailLimits(maxBytesIn(bytesLeft)))
  const calendar = await calendarOf(email, row, service, budget)
  const { text, html } = budget.isCut ? writeDocument(withNote(document, noteOf(email, calendar?.method))) : written
  return {
    to: row.email,
    toName: email.readerName,
    ...(!email.isHost && { fromName: senderName(email, brand.name, config) }),
    replyTo: { name: email.hostName, address: email.hostEmail },
    subject: document.subject,
    text,
    html,
    ...head,
    logos: logosOf(brand),
    ...(calendar !== undefined && {
      calendar: { ...calendar, isAttached: 2 * maxTransferBytes(calendar.text) <= bytesLeft },
    }),
    ...(email.kind === 'reminder' && { headers: unsubscribeHeaders(email.links.stopReminders) }),
  }
}

/**
 * Write the Message-ID of an email: the same at every attempt, so that mail programs show duplicates once, and different
 * for each recipient, so that it reveals nothing about the others. The brackets of an IPv6 address are valid in it
 * (RFC 5322, 3.4.1).
 */
function emailMessageId(
  encryption: Encryption,
  baseUrl: string,
  email: { mailId: string; addressKey: string },
): string {
  const mac = encryption.mac('letter message id', JSON.stringify([email.mailId, email.addressKey]))
  return `<${email.mailId}.${mac.subarray(0, 9).toString('hex')}@${new URL(baseUrl).hostname}>`
}

/** Reserved for the note that the calendar is shortened, in text and HTML. */
const bytesOfNote = 4 * 1024

function writeDocument(document: MailDocument): { text: string; html: string; maxBytes: number } {
  const [text, html] = [documentText(document), documentHtml(document)]
  return { text, html, maxBytes: maxTransferBytes(text) + maxTransferBytes(html) }
}

const noteOf = ({ t, links }: InvitationEmail, method: string | undefined): string =>
  method === 'CANCEL' ? t('cancellationIsShortened') : t('calendarIsShortened', { link: links.add })

const withNote = (document: MailDocument, note: string): MailDocument => ({
  ...document,
  notes: [...document.notes, note],
})

/**
 * Name the host, because mail programs show little else, and the host's organisation or the service, because the host did
 * not send the mail.
 */
const senderName = (
  { t, hostName }: InvitationEmail,
  organisation: string,
  { mailFrom }: Pick<Config, 'mailFrom'>,
): string => t('via', { host: hostName, service: organisation || senderOf(mailFrom).name || productName })

async function calendarOf(
  email: InvitationEmail,
  row: InvitationEmailRow,
  { encryption, config }: Pick<Dependencies, 'encryption' | 'config'>,
  budget: CalendarBudget,
): Promise<Pick<NonNullable<Mail['calendar']>, 'method' | 'text'> | undefined> {
  const part = calendarParts[email.kind]
  if (part === undefined) return undefined
  const { content, links, t } = email
  const isOne = email.kind === 'occurrence-cancellation' || email.kind === 'occurrence-update'
  const input: CalendarInput = {
    ...part,
    uid: calendarUid(row.meetingId, email.baseUrl),
    sequence: row.sequence,
    stamp: row.createdAt,
    organizer: {
      name: email.hostName,
      email: email.hostEmail,
      sentBy: senderOf(config.mailFrom).address,
      ...answersTo(encryption, { id: row.meetingId, replyAddress: row.replyAddress }, row),
    },
    attendee: {
      name: email.readerName,
      email: email.email,
      ...(email.response !== null && { response: email.response }),
      occurrences: email.ownResponses,
    },
    ...mapTexts((name) => content[name]),
    entrance: describeEntrance(t, { ...content, link: links.join }),
    cutNotice: t('textIsCut', { link: links.join }),
    joinLink: links.join,
    url: links.join,
    conference: { label: t('join'), address: links.join },
    series: content.series,
    ...(email.message !== null && { comment: email.message.text }),
    ...(isOne && content.date !== null && { occurrence: content.date }),
    reminderMinutes: row.reminderMinutes ?? config.reminderMinutes,
  }
  return { method: part.method, text: await composeCalendar(input, budget) }
}

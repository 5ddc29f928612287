import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isEmailAddress } from '@parley/rules/text/email-address'
import type { SendMailOptions } from 'nodemailer'
import type { Logger } from 'pino'
import { writeFileAtomically } from '../platform/atomic-file.ts'
import type { Config } from '../platform/config/config.ts'
import { inSpan, type SpanStart } from '../platform/operation.ts'

/** A mail to one person. */
export type Mail = {
  to: string
  /** The name beside the address; none when absent or empty. */
  toName?: string
  subject: string
  text: string
  html: string
  /** `<unique@host>` (RFC 5322, 3.6.4). Stays the same when the mail is sent again, so that mail programs show one. */
  messageId: string
  /** The sender's display name; the name in MAIL_FROM when absent. The address is always that of MAIL_FROM. */
  fromName?: string
  /** The address for replies; the sender when absent. */
  replyTo?: { name: string; address: string }
  /** Message-IDs of the mails before it in the same thread (RFC 5322, 3.6.4). */
  inReplyTo?: string
  references?: readonly string[]
  /** An iCalendar object with its method: an alternative of the text, and perhaps an attachment (RFC 6047, 2.4). */
  calendar?: { method: string; text: string; isAttached: boolean }
  headers?: Readonly<Record<string, string>>
  /** The digests of the logos that the HTML refers to, which `images` has once they are read. */
  logos?: readonly string[]
  images?: readonly MailImage[]
}

/** An image that the HTML shows by its Content-ID. */
type MailImage = { contentId: string; mediaType: string; bytes: Buffer }

export type Mailer = {
  /**
   * Deliver a mail. The promise resolves when the mail server, or the disk, has the mail, and rejects after a minute:
   * retry later.
   */
  deliver(mail: Mail): Promise<void>
  close(): void
}

/**
 * Whether the server permanently refuses this mail or its recipient: a 5xx reply to the recipient or to the content
 * (RFC 5321, 4.2.1). Replies about our sender address, host name or password are for the operator to fix.
 */
export function isPermanentFailure(error: unknown): boolean {
  const {
    code,
    command,
    responseCode = 0,
  } = Object(error) as { code?: string; command?: string; responseCode?: number }
  const isAboutMail = code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'RCPT TO')
  return isAboutMail && responseCode >= 500 && responseCode < 600
}

/** Errors before the server accepted DATA, or its refusal of the content: it has nothing of the mail. */
const codesBeforeData = new Set(['EDNS', 'ETLS', 'EREQUIRETLS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'EENVELOPE', 'EMESSAGE'])
const phasesBeforeData = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT'])

/**
 * Whether the server certainly did not take the mail. After a timeout or a lost connection it may have taken it,
 * because a lost reply looks the same.
 */
export function isCertainlyNotAccepted(error: unknown): boolean {
  const { code, syscall, timeoutType } = Object(error) as { code?: string; syscall?: string; timeoutType?: string }
  return (
    error instanceof TypeError ||
    syscall === 'connect' ||
    codesBeforeData.has(code ?? '') ||
    phasesBeforeData.has(timeoutType ?? '')
  )
}

/** A working mail server replies within a second; a server that hangs must not block the jobs behind this mail. */
const smtpLimits = { connectionMs: 10_000, deliveryMs: 60_000 }
const socketLimitMs = 30_000
const maxMailConnections = 3
const maxFileNameLength = 200

/**
 * Create a mailer that delivers by SMTP or, without a server, writes each mail as a file into `mail/` of the data
 * folder. With `smtp:` the connection is encrypted when the server offers it or SMTP_TLS requires it, with `smtps:`
 * always.
 */
export function createMailer(options: {
  smtpUrl?: string
  smtpTls?: Config['smtpTls']
  mailFrom: string
  dataDir: string
  log: Logger
  /** Limits for the greeting and for the whole delivery. */
  limits?: { connectionMs: number; deliveryMs: number }
}): Mailer {
  const { smtpUrl, smtpTls = 'opportunistic', mailFrom, dataDir, log, limits = smtpLimits } = options
  if (smtpUrl === undefined) return createFileMailer(mailFrom, join(dataDir, 'mail'), log)

  const { connectionMs } = limits
  const timeouts = {
    dnsTimeout: connectionMs,
    connectionTimeout: connectionMs,
    greetingTimeout: connectionMs,
    socketTimeout: socketLimitMs,
  }
  const settings = { ...timeouts, ...smtpSettings(smtpUrl, smtpTls), maxConnections: maxMailConnections }
  // Loaded with the first email (test/source/lazy-packages.test.ts). All that are sent at once share one transport.
  const openTransport = async () => (await import('nodemailer')).createTransport({ ...settings, pool: true })
  let transport: ReturnType<typeof openTransport> | undefined
  return {
    async deliver(mail) {
      const composed = compose(mail, mailFrom)
      const signal = AbortSignal.timeout(limits.deliveryMs)
      transport ??= openTransport().catch((error) => {
        transport = undefined
        throw error
      })
      const opened = await transport
      await inSpan(startOfDelivery(smtpUrl), () => opened.sendMail({ ...composed, signal }))
    },
    close: () =>
      void transport?.then(
        (opened) => opened.close(),
        () => {},
      ),
  }
}

/** Describe a delivery by the server's name, without data of the mail. */
function startOfDelivery(smtpUrl: string): SpanStart {
  const { hostname, port, protocol } = new URL(smtpUrl)
  const defaultPort = protocol === 'smtps:' ? 465 : 587
  return {
    name: 'SMTP send',
    kind: 'client',
    attributes: {
      'network.protocol.name': 'smtp',
      'server.address': hostname,
      'server.port': Number(port) || defaultPort,
    },
  }
}

function createFileMailer(mailFrom: string, folder: string, log: Logger): Mailer {
  log.info({ folder }, 'there is no SMTP_URL: mails are written as files')
  return {
    async deliver(mail) {
      const composed = compose(mail, mailFrom)
      const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
      const content = await new MailComposer({ ...composed, newline: 'windows' }).compile().build()
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFileAtomically(join(folder, fileNameOf(mail.messageId)), content, 'replace')
    },
    close() {},
  }
}

const messageIdForm = /^<[\w.!#$%&'*+/=?^`{|}~-]+@([\w.-]+|\[[\w.:]+\])>$/

const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

/** A person's name beside an address: a single line without characters that change its visual order. */
const displayName = (name: string) =>
  oneLine(name)
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()

/** Compose the message. @throws TypeError for characters that could end a header and begin another header */
function compose(mail: Mail, mailFrom: string): SendMailOptions {
  const {
    to,
    toName = '',
    fromName,
    subject,
    text,
    html,
    messageId,
    replyTo,
    inReplyTo,
    references = [],
    calendar,
  } = mail
  const { images = [] } = mail
  const { headers = {} } = mail
  const sender = senderOf(mailFrom)
  for (const address of [to, replyTo?.address ?? to]) {
    if (!isEmailAddress(address)) throw new TypeError('A mail goes to one address')
  }
  if (![messageId, inReplyTo ?? messageId, ...references].every((id) => messageIdForm.test(id)))
    throw new TypeError('A message id is of the form <id@host>')
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w-]+$/.test(name) || /\p{Cc}/u.test(value))
      throw new TypeError(`The header ${JSON.stringify(name)} is malformed`)
  }
  return {
    ...selfContained,
    from: { name: displayName(fromName ?? sender.name), address: sender.address },
    to: { name: displayName(toName), address: to },
    subject: oneLine(subject),
    text,
    html,
    messageId,
    ...(replyTo && { replyTo: { name: displayName(replyTo.name), address: replyTo.address } }),
    ...(inReplyTo && { inReplyTo }),
    ...(references.length > 0 && { references: [...references] }),
    ...(calendar && calendarParts(calendar)),
    ...(images.length > 0 && { attachments: images.map(imagePart) }),
    // RFC 3834, 5: keeps automatic responders from replying.
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
  }
}

/** A part that belongs to the HTML (RFC 2387), which mail programs do not list as a file. */
const imagePart = ({ contentId, mediaType, bytes }: MailImage) => ({
  cid: contentId,
  contentType: mediaType,
  content: bytes,
  contentDisposition: 'inline' as const,
  filename: `logo.${mediaType === 'image/png' ? 'png' : 'jpg'}`,
})

/** Longer calendars are sent in base64, whose size does not depend on their characters. */
const maxReadableCalendarBytes = 16 * 1024

function calendarParts({ method, text, isAttached }: NonNullable<Mail['calendar']>): SendMailOptions {
  const contentTransferEncoding = Buffer.byteLength(text) > maxReadableCalendarBytes ? ('base64' as const) : undefined
  const encoding = contentTransferEncoding && { contentTransferEncoding }
  if (isAttached) return { icalEvent: { method, content: text, filename: 'invite.ics', ...encoding } }
  return {
    alternatives: [{ contentType: `text/calendar; charset=utf-8; method=${method}`, content: text, ...encoding }],
  }
}

/** Constant for a mail, so that sending it again replaces the file. */
const fileNameOf = (messageId: string) =>
  `${messageId
    .slice(1, -1)
    .replace(/[^\w.@-]/g, '_')
    .replace(/^\./, '_')
    .slice(0, maxFileNameLength)}.eml`

/** A mailbox (RFC 5322, 3.4); `name` is empty when it has none. */
type Sender = { name: string; address: string }

/** Parse MAIL_FROM, which the configuration has validated (`parseMailFrom`). */
export function senderOf(mailFrom: string): Sender {
  const [, name = '', address = mailFrom] = /^(.*?)\s*<([^<>]*)>$/.exec(mailFrom) ?? []
  return { name: name.replace(/^"(.*)"$/, '$1').trim(), address }
}

/** Mails are composed here: no part of a mail is read from a file or a URL that it mentions. */
const selfContained = { disableFileAccess: true, disableUrlAccess: true }

/**
 * The SMTP settings: with `smtps:` encrypted from the first byte, with `smtp:` after STARTTLS. With `required`, send
 * nothing before STARTTLS has succeeded; neither the server's offers nor options in the URL change that.
 */
const smtpSettings = (smtpUrl: string, smtpTls: Config['smtpTls']) => ({
  ...selfContained,
  url: smtpTls === 'required' ? withRequiredTls(smtpUrl) : smtpUrl,
})

/** nodemailer lets options in the URL override all others, so this must be one of them. */
function withRequiredTls(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const name of ['ignoreTLS', 'opportunisticTLS']) url.searchParams.delete(name)
  url.searchParams.set('requireTLS', 'true')
  return url.href
}

/** Short, because an operator waits at a terminal. */
const checkTimeouts = { dnsTimeout: 5_000, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 5_000 }

/**
 * Sign in to the mail server without sending a mail. Return undefined on success, otherwise the reason, without
 * secrets.
 */
export async function checkMailServer(smtpUrl: string, smtpTls: Config['smtpTls']): Promise<string | undefined> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ ...checkTimeouts, ...smtpSettings(smtpUrl, smtpTls) })
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    const { code, responseCode } = Object(error) as { code?: string; responseCode?: number }
    return [code ?? 'unknown', responseCode].filter((part) => part !== undefined).join(' ')
  } finally {
    transport.close()
  }
}

/** The headers and boundaries of the parts, and all header lines but those that name mails of the same thread. */
const bytesOfOtherHeaders = 8 * 1024
/** `References: ` puts each on a line of its own. */
const bytesAround = 4

export const bytesOfHead = ({ messageId, references = [] }: Pick<Mail, 'messageId' | 'references'>): number =>
  bytesOfOtherHeaders + (references.length + 2) * (Buffer.byteLength(messageId) + bytesAround)

/** RFC 2045, 6.8: a line of 76 characters holds 57 octets. */
const base64 = { bytes: 57, lineBytes: 78 }
/** RFC 2045, 6.7: an encoded octet takes three, and at least 64 of the 76 characters of a line are used. */
const quoted = { octet: 3, lineBytes: 64, breakBytes: 3 }

/** What a text takes in a mail at most, by either transfer encoding that mails use. */
export function maxTransferBytes(text: string): number {
  const octets = Buffer.from(text)
  let plain = 0
  for (const octet of octets) if ((octet >= 0x20 && octet < 0x7f && octet !== 0x3d) || octet === 0x0d) plain++
  const quotedBytes = plain + (octets.length - plain) * quoted.octet
  const breaks = Math.ceil(quotedBytes / quoted.lineBytes) * quoted.breakBytes
  return Math.max(quotedBytes + breaks, Math.ceil(octets.length / base64.bytes) * base64.lineBytes)
}

/** What an image of this size takes in a mail at most, with its headers. */
export const transferBytesOfImage = (size: number): number =>
  Math.ceil(size / base64.bytes) * base64.lineBytes + bytesOfImageHead

const bytesOfImageHead = 512

/** The number of octets of text that fit into `transferBytes` in base64. */
export const maxBytesIn = (transferBytes: number): number =>
  Math.max(0, Math.floor(transferBytes / base64.lineBytes) * base64.bytes)

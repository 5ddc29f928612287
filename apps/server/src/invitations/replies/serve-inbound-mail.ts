import { promisify } from 'node:util'
import type { Logger } from 'pino'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { readDatabaseFailure } from '../../platform/database/database-failure.ts'
import { listenAt } from '../../platform/http/listen.ts'
import { MailReaderBusy } from './mail-reader.ts'
import { type InboundMail, type MailOutcome, maxMailBytes } from './receive-mail.ts'

/** A mail server keeps a few connections open; each may hold one mail. */
const maxInboundConnections = 20
/** Postfix hands over a mail to up to 50 recipients by default, and splits one to more. */
const maxRecipients = 50
/** A mail server on the same machine or network answers at once. */
const idleTimeoutMs = 30_000
/** End the connections of clients that send a byte now and then; a mail server connects again. */
const defaultConnectionLimitMs = 5 * 60_000
/** Time for the mail that is being handed over when the service stops. The mail server repeats a mail that is cut off. */
const closeTimeoutMs = 2_000

type InboundMailOptions = {
  receive(mail: InboundMail): Promise<MailOutcome>
  host: string
  port: number
  log: Logger
  /** Shorter in tests. */
  connectionLimitMs?: number
}

/**
 * Take mail from the operator's mail server by LMTP (RFC 2033): unlike with SMTP, there is no mail that we would have to
 * return to a sender. All mails are accepted, except while the database is away or too many mails wait to be read.
 *
 * @throws StartProblem when the port is not available
 */
export async function serveInboundMail(options: InboundMailOptions) {
  const { receive, host, port, log, connectionLimitMs = defaultConnectionLimitMs } = options
  // Loaded only where the service takes mail (test/source/lazy-packages.test.ts).
  const { SMTPServer } = await import('smtp-server')
  const server = new SMTPServer({
    lmtp: true,
    name: 'parley',
    size: maxMailBytes,
    maxClients: maxInboundConnections,
    maxRecipients,
    socketTimeout: idleTimeoutMs,
    closeTimeout: closeTimeoutMs,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    // An address that is not ours may have any form: its mail is dropped, not refused.
    lenientAddressParsing: true,
    logger: false,
    onData(stream, session, done) {
      receiveData(stream, session, receive).then(
        () => done(),
        (error: unknown) => {
          const cause = error instanceof MailReaderBusy ? error.message : readDatabaseFailure(error)?.cause
          log.warn({ cause }, 'a mail to REPLY_ADDRESS is left to the mail server, which tries again')
          done(Object.assign(new Error('4.3.0 Try again later'), { responseCode: 451 }))
        },
      )
    },
  })
  // Clients that hang up are no errors of ours.
  server.on('error', (error) => log.debug({ err: error }, 'a connection of the mail server failed'))
  server.server.on('connection', (socket) => {
    const timer = setTimeout(() => socket.destroy(), connectionLimitMs)
    socket.once('close', () => clearTimeout(timer))
  })
  const found = await listenAt(server.server, { host, port }, { port: 'INBOUND_MAIL_PORT', host: 'INBOUND_MAIL_HOST' })
  return { port: found, stop: promisify(server.close.bind(server)) }
}

/** Read a mail to its end, and keep no more of it than is examined. */
async function receiveData(
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
  receive: InboundMailOptions['receive'],
): Promise<void> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.length
    // Keep one byte too many: it marks the mail as too large.
    if (length - chunk.length <= maxMailBytes) chunks.push(chunk)
  }
  await receive({
    content: Buffer.concat(chunks),
    recipients: envelope.rcptTo.map(({ address }) => address),
    isBounce: envelope.mailFrom !== false && envelope.mailFrom.address === '',
  })
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, type TestContext, test } from 'node:test'
import { simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { failImports } from '../../test/failing-import.ts'
import { parseMailFrom } from '../platform/config/config-values.ts'
import { createLog } from '../platform/log.ts'
import { checkMailServer, createMailer, type Mail, senderOf } from './mail.ts'

const log = createLog({ level: 'silent' })
const mailFrom = '"Acme, Inc." <parley@acme.example>'
const mail: Mail = {
  to: 'bob@example.org',
  subject: 'Réunion 👋 «Mon»',
  text: 'Grüße,\n.\nhttps://meet.example.org/reset#token=abc\n',
  html: '<p>Grüße &amp; more</p>',
  messageId: '<0190a5d2@meet.example.org>',
}

let dataDir = ''
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley mail '))
})
afterEach(() => rm(dataDir, { recursive: true }))

type Received = { from: string; to: string[]; user: string | undefined; isSecure: boolean; content: string }

/** A test's own mail server; `options` may make it refuse. */
async function startMailServer(t: TestContext, options: SMTPServerOptions = {}) {
  const received: Received[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    // Otherwise it warns about its own certificate.
    logger: false,
    closeTimeout: 100,
    onConnect: (_session, done) => {
      connections++
      done()
    },
    onAuth: ({ username, password }, _session, done) => {
      if (password === 'right') done(null, { user: username })
      else done(new Error('Wrong password'))
    },
    onData: (stream, { envelope, user, secure }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        received.push({ from, to, user, isSecure: secure, content: Buffer.concat(chunks).toString('utf8') })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}?tls.rejectUnauthorized=false`,
    port,
    received,
    connections: () => connections,
  }
}

function openMailer(t: TestContext, smtpUrl?: string, smtpTls?: 'opportunistic' | 'required') {
  const mailer = createMailer({ mailFrom, dataDir, log, ...(smtpUrl && { smtpUrl }), ...(smtpTls && { smtpTls }) })
  t.after(() => mailer.close())
  return mailer
}

/** Header lines, unfolded: everything before the first empty line. */
const headersOf = (content: string) => (content.split('\r\n\r\n', 1)[0] ?? '').replace(/\r\n[ \t]+/g, ' ').split('\r\n')

function headerOf(content: string, name: string): string[] {
  const prefix = `${name.toLowerCase()}: `
  const found = headersOf(content).filter((line) => line.toLowerCase().startsWith(prefix))
  return found.map((line) => line.slice(prefix.length))
}

/** The parts of a multipart/alternative, decoded. */
function partsOf(content: string): [type: string, text: string][] {
  const boundary = /boundary="([^"]+)"/.exec(headerOf(content, 'Content-Type')[0] ?? '')?.[1]
  assert.ok(boundary !== undefined)
  const parts = content.split(`--${boundary}`).slice(1, -1)
  return parts.map((part) => {
    const trimmed = part.replace(/^\r\n/, '')
    const body = trimmed.slice(trimmed.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '')
    const encoding = headerOf(trimmed, 'Content-Transfer-Encoding')[0]
    return [headerOf(trimmed, 'Content-Type')[0] ?? '', decode(body, encoding)]
  })
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** RFC 2047's encoded words, of which a subject outside ASCII consists. */
const decodeWords = (text: string) =>
  text
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind, word) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('latin1')
        : word
            .replaceAll('_', ' ')
            .replace(/=([0-9A-F]{2})/gi, (_all: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    )

function assertIsTheMail(content: string) {
  assert.deepEqual(headerOf(content, 'From'), ['"Acme, Inc." <parley@acme.example>'])
  assert.deepEqual(headerOf(content, 'To'), ['bob@example.org'])
  const subject = decodeWords(headerOf(content, 'Subject')[0] ?? '')
  assert.equal(Buffer.from(subject, 'latin1').toString('utf8'), mail.subject)
  assert.deepEqual(headerOf(content, 'Message-ID'), [mail.messageId])
  assert.deepEqual(headerOf(content, 'Auto-Submitted'), ['auto-generated'])
  assert.equal(headerOf(content, 'Date').length, 1)
  const [[textType, text] = [], [htmlType, html] = []] = partsOf(content)
  assert.deepEqual([textType, htmlType], ['text/plain; charset=utf-8', 'text/html; charset=utf-8'])
  assert.equal(text?.replaceAll('\r\n', '\n').trim(), mail.text.trim())
  assert.equal(html?.trim(), mail.html)
  for (const line of content.split('\r\n')) assert.ok(line.length <= 998 && !/[\r\n]/.test(line))
}

test('fails deliveries while nodemailer cannot be loaded, and later ones share one import', async (t) => {
  const { url, received, connections } = await startMailServer(t)
  const [mailer, folder] = [openMailer(t, url), openMailer(t)]
  const mends = ['nodemailer', 'nodemailer/lib/mail-composer'].map((name) => failImports(t, name))
  await assert.rejects(mailer.deliver(mail), /Cannot find package 'nodemailer'/)
  await assert.rejects(folder.deliver(mail), /Cannot find package 'nodemailer/)
  for (const mend of mends) mend()
  await Promise.all([...Array.from({ length: 10 }, () => mailer.deliver(mail)), folder.deliver(mail)])
  assert.equal(received.length, 10)
  assert.ok(connections() <= 3, `${connections()} connections`)
})

test('closes a mailer that sent nothing', async (t) => {
  const { url, connections } = await startMailServer(t)
  openMailer(t, url).close()
  assert.equal(connections(), 0)
})

test('sends an email to the server complete, in both forms', async (t) => {
  const { url, received } = await startMailServer(t)
  await openMailer(t, url).deliver(mail)
  const [{ from, to, content } = { from: '', to: [], content: '' }] = received
  assert.deepEqual([from, to], ['parley@acme.example', ['bob@example.org']])
  assertIsTheMail(content)
})

test('encrypts the connection when the server offers it, and signs in when the address holds a password', async (t) => {
  const { url, received } = await startMailServer(t, { authOptional: false })
  await openMailer(t, url.replace('//', '//parley:right@')).deliver(mail)
  assert.deepEqual([received[0]?.isSecure, received[0]?.user], [true, 'parley'])
})

test('sends neither email nor password without encryption where it is required', async (t) => {
  const tried: string[] = []
  const { url, received } = await startMailServer(t, {
    disabledCommands: ['STARTTLS'],
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) => {
      tried.push(password ?? '')
      done(null, { user: 'parley' })
    },
  })
  const signedIn = url.replace('//', '//parley:right@')
  // The address's options cannot weaken it.
  for (const address of [signedIn, `${signedIn}&requireTLS=false&ignoreTLS=true&opportunisticTLS=true`]) {
    await assert.rejects(openMailer(t, address, 'required').deliver(mail), /STARTTLS/)
    assert.match((await checkMailServer(address, 'required')) ?? '', /ETLS/)
  }
  assert.deepEqual([received, tried], [[], []])

  await openMailer(t, signedIn, 'opportunistic').deliver(mail)
  assert.equal(await checkMailServer(signedIn, 'opportunistic'), undefined)
  assert.deepEqual([received[0]?.isSecure, tried], [false, ['right', 'right']])
})

test('sends an email where encryption is required and offered', async (t) => {
  const offering = await startMailServer(t)
  await openMailer(t, offering.url, 'required').deliver(mail)
  assert.equal(await checkMailServer(offering.url, 'required'), undefined)
  const encrypted = await startMailServer(t, { secure: true })
  await openMailer(t, encrypted.url.replace('smtp:', 'smtps:'), 'required').deliver(mail)
  assert.deepEqual([offering.received[0]?.isSecure, encrypted.received[0]?.isSecure], [true, true])
})

test('sends nothing to a server with an untrusted certificate', async (t) => {
  const { url, received } = await startMailServer(t)
  const verifying = url.replace('?tls.rejectUnauthorized=false', '')
  for (const smtpTls of ['opportunistic', 'required'] as const) {
    await assert.rejects(openMailer(t, verifying, smtpTls).deliver(mail), /certificate/)
  }
  assert.deepEqual(received, [])
})

test('sends many emails over few connections', async (t) => {
  const { url, received, connections } = await startMailServer(t)
  const mailer = openMailer(t, url)
  const ids = Array.from({ length: 30 }, (_, index) => `<${index}@meet.example.org>`)
  await Promise.all(ids.map((messageId) => mailer.deliver({ ...mail, messageId })))
  assert.equal(received.length, 30)
  assert.ok(connections() <= 3, `${connections()} connections`)
})

const refusals: [string, (t: TestContext) => Promise<string>][] = [
  ['a wrong password', async (t) => (await startMailServer(t)).url.replace('//', '//parley:wrong@')],
  [
    'a refused recipient',
    async (t) =>
      (await startMailServer(t, { onRcptTo: (_address, _session, done) => done(new Error('No such person')) })).url,
  ],
  [
    'a server that takes no mail',
    async (t) =>
      (
        await startMailServer(t, {
          onData: (stream, _session, done) => {
            stream.on('end', () => done(new Error('Full')))
            stream.resume()
          },
        })
      ).url,
  ],
  ['nobody at the address', async () => 'smtp://127.0.0.1:1'],
  ['a host that does not exist', async () => 'smtp://mail.invalid'],
  [
    'a server that hangs up',
    async (t) => {
      const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
      t.after(() => server.close())
      await once(server, 'listening')
      return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
  ],
]
for (const [name, urlOf] of refusals) {
  test(`${name}: the delivery fails, and reports it`, async (t) => {
    await assert.rejects(openMailer(t, await urlOf(t)).deliver(mail), Error)
  })
}

test('a silent server: the delivery fails after a while', async (t) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  await assert.rejects(openMailer(t, `smtp://127.0.0.1:${port}`).deliver(mail), /Greeting never received|timeout/i)
})

test('sends the next email after a failure, when the server is back', async (t) => {
  let isFull = true
  const { url, received } = await startMailServer(t, {
    onMailFrom: (_address, _session, done) => done(isFull ? new Error('Later') : null),
  })
  const mailer = openMailer(t, url)
  await assert.rejects(mailer.deliver(mail))
  isFull = false
  await mailer.deliver(mail)
  assert.equal(received.length, 1)
})

test('without a server writes the email to a file for its owner only, and the same email to the same file', async (t) => {
  const lines: string[] = []
  const spy = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const mailer = createMailer({ mailFrom, dataDir, log: spy })
  t.after(() => mailer.close())
  await mailer.deliver({ ...mail, text: 'first try' })
  await mailer.deliver(mail)
  const folder = join(dataDir, 'mail')
  assert.deepEqual(await readdir(folder), ['0190a5d2@meet.example.org.eml'])
  const path = join(folder, '0190a5d2@meet.example.org.eml')
  assertIsTheMail(await readFile(path, 'utf8'))
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /no SMTP_URL/)
})

test('a message id cannot name a file elsewhere', async (t) => {
  const mailer = openMailer(t)
  const names: string[] = []
  for (const id of [
    '<../../x@example.org>',
    '<.hidden@example.org>',
    '</etc/passwd@example.org>',
    `<${'x'.repeat(400)}@e.org>`,
  ]) {
    await mailer.deliver({ ...mail, messageId: id })
    names.push(id)
  }
  const files = await readdir(join(dataDir, 'mail'))
  assert.equal(files.length, names.length)
  for (const file of files) assert.match(file, /^[\w@][\w.@-]{0,203}\.eml$/)
})

test('a subject cannot end its header', async (t) => {
  const mailer = openMailer(t)
  for (const end of ['\r\n', '\n', '\r', '\0', '\u0085', '\u2028']) {
    const messageId = '<subject@meet.example.org>'
    await mailer.deliver({ ...mail, messageId, subject: `Hello${end}Bcc: mallory@example.org${end}${end}<p>body</p>` })
    const content = await readFile(join(dataDir, 'mail', 'subject@meet.example.org.eml'), 'utf8')
    assert.deepEqual(headerOf(content, 'Bcc'), [])
    assert.equal(headerOf(content, 'Subject').length, 1)
    assert.equal(partsOf(content).length, 2)
  }
})

const senders: readonly (readonly [name: string, what: string, shown: string])[] = [
  ['Alice Ahuja via Parley', 'a name', 'Alice Ahuja via Parley'],
  ['Grüße 👋 über Acme, Inc.', 'what is outside ASCII', 'Grüße 👋 über Acme, Inc.'],
  ['أليس عبر Parley', 'a name from the right', 'أليس عبر Parley'],
  ['Eve" <eve@example.org>, "', 'quotes and a second mailbox', 'Eve" <eve@example.org>, "'],
  ['Eve\r\nBcc: m@example.org', 'a line end', 'Eve Bcc: m@example.org'],
  ['Eve\u202egro.elpmaxe', 'an override of direction', 'Evegro.elpmaxe'],
  [' ', 'a blank', ''],
]
for (const [fromName, what, shown] of senders) {
  test(`a sender of ${what} is one mailbox, of our address`, async (t) => {
    await openMailer(t).deliver({ ...mail, messageId: '<sender@meet.example.org>', fromName })
    const content = await readFile(join(dataDir, 'mail', 'sender@meet.example.org.eml'), 'utf8')
    assert.deepEqual(headerOf(content, 'Bcc'), [])
    assert.equal(headerOf(content, 'From').length, 1)
    assert.deepEqual((await simpleParser(content)).from?.value, [{ name: shown, address: 'parley@acme.example' }])
  })
}

test('sends an email without its own name in the name of MAIL_FROM', async (t) => {
  await openMailer(t).deliver({ ...mail, messageId: '<usual@meet.example.org>' })
  const content = await readFile(join(dataDir, 'mail', 'usual@meet.example.org.eml'), 'utf8')
  const { from } = await simpleParser(content)
  assert.deepEqual(from?.value, [{ name: 'Acme, Inc.', address: 'parley@acme.example' }])
})

const injections: Partial<Mail>[] = [
  ...[
    'bob@example.org\r\nBcc: m@example.org',
    'bob@example.org, m@example.org',
    'Bob <bob@example.org>',
    '',
    'bob',
  ].map((to) => ({ to })),
  ...['<a@b>\r\nBcc: m@example.org', 'a@b', '<a b@c>', '<a@b\n>', '<@b>', '<a@>'].map((messageId) => ({ messageId })),
  { headers: { 'X-Note': 'a\r\nBcc: m@example.org' } },
  { headers: { 'X-Note\r\nBcc': 'm@example.org' } },
  { headers: { 'X-Note:': 'x' } },
  { replyTo: { name: 'Alice', address: 'a@example.org\r\nBcc: m@example.org' } },
  { inReplyTo: '<a@b>\r\nBcc: m@example.org' },
  { references: ['<a@b>', '<a@b>\nBcc: m@example.org'] },
]
for (const part of injections) {
  test(`does not send ${JSON.stringify(part)}`, async (t) => {
    await assert.rejects(openMailer(t).deliver({ ...mail, ...part }), TypeError)
  })
}

test('sends our own headers, which cannot remove the mark of an automatic email', async (t) => {
  const headers = { References: '<0@meet.example.org>', 'Auto-Submitted': 'no' }
  await openMailer(t).deliver({ ...mail, messageId: '<own@[2001:db8::1]>', headers })
  const content = await readFile(join(dataDir, 'mail', 'own@_2001_db8__1_.eml'), 'utf8')
  assert.deepEqual(headerOf(content, 'References'), ['<0@meet.example.org>'])
  assert.deepEqual(headerOf(content, 'Auto-Submitted'), ['auto-generated'])
})

test('attaches a calendar as an alternative with its method and as a file; replies go to the host, in a thread', async (t) => {
  const text = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n'
  const mailer = openMailer(t)
  const messageId = '<calendar@meet.example.org>'
  const replyTo = { name: 'Alice\r\nBcc: m@example.org', address: 'alice@example.org' }
  const thread = { inReplyTo: '<1@meet.example.org>', references: ['<0@meet.example.org>', '<1@meet.example.org>'] }
  await mailer.deliver({
    ...mail,
    ...thread,
    messageId,
    replyTo,
    calendar: { method: 'REQUEST', text, isAttached: true },
  })
  const content = await readFile(join(dataDir, 'mail', 'calendar@meet.example.org.eml'), 'utf8')
  assert.deepEqual(headerOf(content, 'Bcc'), [])
  assert.deepEqual(headerOf(content, 'In-Reply-To'), ['<1@meet.example.org>'])
  assert.deepEqual(headerOf(content, 'References'), ['<0@meet.example.org> <1@meet.example.org>'])
  const read = await simpleParser(content)
  assert.deepEqual(read.replyTo?.value, [{ name: 'Alice Bcc: m@example.org', address: 'alice@example.org' }])
  assert.deepEqual(
    read.attachments.map(({ contentType, filename, content: bytes }) => [contentType, filename, String(bytes)]),
    [
      ['text/calendar', undefined, text],
      ['application/ics', 'invite.ics', text],
    ],
  )
  assert.match(content, /^Content-Type: text\/calendar; charset=utf-8; method=REQUEST\r$/m)
})

test('reads nothing from a file or an address that an email names', async (t) => {
  const content = { path: '/etc/passwd' } as unknown as string
  await assert.rejects(openMailer(t).deliver({ ...mail, html: content }), /File access rejected/)
  const address = { href: 'http://127.0.0.1:1/' } as unknown as string
  await assert.rejects(openMailer(t).deliver({ ...mail, text: address }), /Url access rejected/)
})

const rows = [
  ['parley@example.org', '', 'parley@example.org'],
  ['<parley@example.org>', '', 'parley@example.org'],
  ['Parley <parley@example.org>', 'Parley', 'parley@example.org'],
  ['"Acme, Inc." <parley@example.org>', 'Acme, Inc.', 'parley@example.org'],
  ['Büro<parley@example.org>', 'Büro', 'parley@example.org'],
] as const

for (const [text, name, address] of rows) {
  test(`MAIL_FROM=${text} is ${address}, called ${JSON.stringify(name)}`, () => {
    assert.equal(parseMailFrom(text), text)
    assert.deepEqual(senderOf(text), { name, address })
  })
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { StartProblem } from '../../platform/start-problem.ts'
import { MailReaderBusy } from './mail-reader.ts'
import { type InboundMail, maxMailBytes } from './receive-mail.ts'
import { serveInboundMail } from './serve-inbound-mail.ts'

const log = createLog({ level: 'silent' })
const databaseAway = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })

async function start(t: TestContext, options: Partial<Parameters<typeof serveInboundMail>[0]> = {}) {
  const received: InboundMail[] = []
  const clients: Socket[] = []
  const receive = async (mail: InboundMail) => {
    received.push(mail)
    return 'recorded' as const
  }
  const served = await serveInboundMail({ host: '127.0.0.1', port: 0, log, receive, ...options })
  t.after(async () => {
    for (const client of clients) client.destroy()
    await served.stop()
  })
  async function talk() {
    const client = await talkTo(served.port)
    clients.push(client.socket)
    return client
  }
  return { received, talk }
}

/** A connection that sends lines, and reads replies up to the last line of each. */
async function talkTo(port: number) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  async function reply(): Promise<string> {
    for (;;) {
      const [whole] = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(text) ?? []
      if (whole !== undefined) {
        text = text.slice(whole.length)
        return whole
      }
      await once(socket, 'data')
    }
  }
  const say = async (line: string) => {
    socket.write(`${line}\r\n`)
    return reply()
  }
  return { socket, reply, say, greeting: await reply() }
}

/** Begin a mail up to its content. */
async function begin(
  { say }: Awaited<ReturnType<typeof talkTo>>,
  recipients = ['rsvp+a@meet.example.org'],
  from = 'bob@example.org',
) {
  const hello = await say('LHLO mail.example.org')
  assert.match(await say(`MAIL FROM:<${from}>`), /^250/)
  for (const recipient of recipients) assert.match(await say(`RCPT TO:<${recipient}>`), /^250/)
  assert.match(await say('DATA'), /^354/)
  return hello
}

test('speaks LMTP, and says how large a mail may be', async (t) => {
  const { talk, received } = await start(t)
  const client = await talk()
  assert.match(client.greeting, /^220 parley LMTP/)
  const hello = await begin(client)
  assert.match(hello, new RegExp(`^250[- ]SIZE ${maxMailBytes}\\r$`, 'm'))
  assert.doesNotMatch(hello, /AUTH|STARTTLS/)
  assert.match(await client.say('Subject: Hello\r\n\r\n..\r\n.'), /^250/)
  assert.deepEqual(
    received.map(({ content, ...envelope }) => ({ ...envelope, content: String(content) })),
    [{ recipients: ['rsvp+a@meet.example.org'], isBounce: false, content: 'Subject: Hello\r\n\r\n.\r\n' }],
  )
  assert.match(await client.say('EHLO mail.example.org'), /^500/)
  assert.match(await client.say('QUIT'), /^221/)
})

test('accepts mail to any address and without a sender, with a reply for each recipient', async (t) => {
  const { talk, received } = await start(t)
  const client = await talk()
  await begin(client, ['rsvp@meet.example.org', 'somebody@elsewhere.example'], '')
  assert.match(await client.say('\r\n.'), /^250/)
  assert.match(await client.reply(), /^250/)
  assert.equal(received[0]?.isBounce, true)
})

test('reads a mail that is too large to its end, and keeps little of it', async (t) => {
  const { talk, received } = await start(t)
  const client = await talk()
  await begin(client)
  const line = `${'x'.repeat(998)}\r\n`
  client.socket.write(line.repeat(3 * Math.ceil(maxMailBytes / line.length)))
  assert.match(await client.say('.'), /^250/)
  const [mail] = received
  assert.ok(mail && mail.content.length > maxMailBytes && mail.content.length < maxMailBytes + 128 * 1024)
  assert.match(await client.say('LHLO again'), /^250/)
  assert.match(await client.say(`MAIL FROM:<bob@example.org> SIZE=${maxMailBytes + 1}`), /^552/)
})

for (const [cause, away] of [
  ['the database is away', databaseAway],
  ['too many mails wait to be read', new MailReaderBusy()],
] as const)
  test(`leaves mail to the mail server while ${cause}`, async (t) => {
    let isAway = true
    const { talk } = await start(t, {
      receive: async () => {
        if (isAway) throw away
        return 'recorded'
      },
    })
    const client = await talk()
    await begin(client, ['rsvp+a@meet.example.org', 'rsvp+b@meet.example.org'])
    assert.match(await client.say('\r\n.'), /^451/)
    assert.match(await client.reply(), /^451/)
    isAway = false
    assert.match(await client.say('MAIL FROM:<bob@example.org>'), /^250/)
    assert.match(await client.say('RCPT TO:<rsvp+a@meet.example.org>'), /^250/)
    await client.say('DATA')
    assert.match(await client.say('\r\n.'), /^250/)
  })

test('takes fifty recipients of a mail, and twenty connections', async (t) => {
  const { talk } = await start(t)
  const client = await talk()
  await client.say('LHLO a')
  await client.say('MAIL FROM:<a@example.org>')
  for (let at = 0; at < 50; at++) assert.match(await client.say(`RCPT TO:<rsvp+${at}@meet.example.org>`), /^250/)
  assert.match(await client.say('RCPT TO:<rsvp+51@meet.example.org>'), /^452/)

  const clients = []
  for (let at = 1; at < 20; at++) clients.push(await talk())
  assert.ok(clients.every(({ greeting }) => greeting.startsWith('220')))
  assert.match((await talk()).greeting, /^421/)
})

test('ends a connection after a time, however slowly its client goes on', async (t) => {
  const { talk } = await start(t, { connectionLimitMs: 500 })
  const client = await talk()
  await client.say('LHLO a')
  // A reset is an error of the socket before it closes.
  const closed = new Promise((resolve) => client.socket.once('close', resolve))
  const dripping = setInterval(() => client.socket.write('N'), 20)
  await closed
  clearInterval(dripping)
})

test('a port that is taken is named', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const address = other.address()
  assert.ok(address !== null && typeof address === 'object')
  const { port } = address
  await assert.rejects(
    serveInboundMail({ host: '127.0.0.1', port, log, receive: async () => 'recorded' }),
    (error) => error instanceof StartProblem && error.message.includes('INBOUND_MAIL_PORT'),
  )
})

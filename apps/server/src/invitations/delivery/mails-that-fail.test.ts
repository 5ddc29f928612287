import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { openMailbox, refusal } from '../../../test/mailbox.ts'
import { detailsPath, type Person, password, schedule, signUp, standUp } from '../../../test/people.ts'
import { createClock, startApp, type TestApp } from '../../../test/start-app.ts'
import { createMailer, type Mail } from '../../email/mail.ts'
import { createLog } from '../../platform/log.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const box = openMailbox()
const app = await startApp({ clock, mailer: box.mailer })
const alice = await signUp(app, 'Alice')

/** Run all waiting deliveries at once. */
async function tryAgain(service: TestApp = app) {
  await service.pool.query("update graphile_worker._private_jobs set run_at = now() - interval '1 second'")
  await service.mails()
}
const failuresOf = async (meeting: { _id: string }, reader: Person = alice) => {
  const { body } = await reader.send('GET', detailsPath(meeting))
  return body[0].participants.map(({ email, mailFailedOn }: Record<string, string>) => [email, mailFailedOn])
}
const waiting = async () => (await app.pool.query('select from graphile_worker.jobs')).rowCount
const both = { participants: ['bob@example.org', 'gone@example.org'] }

test('gives up a permanently refused address at once, shows it to the host, and delivers to the others', async () => {
  box.refuse = ({ to }) => (to === 'gone@example.org' ? refusal(to, 550) : undefined)
  const meeting = await schedule(alice, standUp(both))
  await app.mails()
  assert.deepEqual(await failuresOf(meeting), [
    ['bob@example.org', undefined],
    ['gone@example.org', '2030-01-01T12:00:00.000Z'],
  ])
  assert.equal(await waiting(), 0)
  const bob = await signUp(app, 'Bob')
  assert.deepEqual(await failuresOf(meeting, bob), [
    ['bob@example.org', undefined],
    ['gone@example.org', undefined],
  ])

  box.refuse = () => undefined
  await alice.send('PUT', detailsPath(meeting), standUp({ ...both, topic: 'Sit-down' }))
  await app.mails()
  assert.deepEqual((await failuresOf(meeting)).flat().filter(Boolean).length, 2)
})

test('retries an email after a temporary refusal and sends it once', async () => {
  box.taken.length = 0
  box.refuse = ({ to }) => refusal(to, 451)
  const meeting = await schedule(alice, standUp({ participants: ['bob@example.org'] }))
  await app.mails()
  await tryAgain()
  assert.equal((await alice.send('GET', detailsPath(meeting))).body[0].notificationsSend.invitationMail, false)
  box.refuse = () => undefined
  await tryAgain()
  await tryAgain()
  assert.equal(box.taken.length, 1)
  assert.deepEqual(await failuresOf(meeting), [['bob@example.org', undefined]])
})

test('does not treat a refused sender or password as an error of the address', async () => {
  box.taken.length = 0
  box.refuse = ({ to }) => refusal(to, 553, 'MAIL FROM')
  const meeting = await schedule(alice, standUp({ participants: ['bob@example.org'] }))
  await app.mails()
  assert.deepEqual(await failuresOf(meeting), [['bob@example.org', undefined]])
  box.refuse = () => undefined
  await tryAgain()
  assert.equal(box.taken.length, 1)
})

test('gives up after a day, and not a moment before', async () => {
  box.refuse = ({ to }) => refusal(to, 451)
  const meeting = await schedule(alice, standUp(both))
  await app.mails()
  clock.set('2030-01-02T11:59:59Z')
  await tryAgain()
  assert.deepEqual((await failuresOf(meeting)).flat().filter(Boolean).length, 2)
  clock.set('2030-01-02T12:00:00Z')
  await tryAgain()
  assert.deepEqual(await failuresOf(meeting), [
    ['bob@example.org', '2030-01-02T12:00:00.000Z'],
    ['gone@example.org', '2030-01-02T12:00:00.000Z'],
  ])
  assert.equal(await waiting(), 0)
  const tries = box.tries
  await tryAgain()
  assert.equal(box.tries, tries)
  box.refuse = () => undefined
  clock.set('2030-01-01T12:00:00Z')
})

test('sends emails once while another transaction locks the meeting, which shows it later', async () => {
  box.taken.length = 0
  const meeting = await schedule(alice, standUp({ participants: ['bob@example.org'] }))
  const client = await app.pool.connect()
  await client.query('begin')
  await client.query('select from meeting where id = $1 for update', [meeting._id])
  await app.mails()
  await client.query('commit')
  client.release()
  assert.equal((await alice.send('GET', detailsPath(meeting))).body[0].notificationsSend.invitationMail, false)
  await tryAgain()
  assert.equal((await alice.send('GET', detailsPath(meeting))).body[0].notificationsSend.invitationMail, true)
  assert.equal(box.taken.length, 1)
})

/** Replies of a server after the greeting that are not SMTP. */
const poisons: [string, (socket: Socket) => void][] = [
  ['refuses every client', (socket) => socket.end('554 Go away\r\n')],
  ['hangs up', (socket) => socket.destroy()],
  ['says nothing', () => {}],
  ['speaks garbage instead of TLS', (socket) => garbageTls(socket)],
  ['says one byte a second', (socket) => sendByteByByte(socket)],
]
for (const [name, poison] of poisons) {
  test(`a mail server that ${name}: the API answers, and the email waits`, async (t) => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      poison(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const log = createLog({ level: 'silent' })
    const mailFrom = 'parley@example.org'
    const limits = { connectionMs: 300, deliveryMs: 1_500 }
    const smtp = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom, dataDir: '', log, limits })
    t.after(() => smtp.close())
    let poisoned = true
    const taken: Mail[] = []
    const deliver = async (mail: Mail) => (poisoned ? smtp.deliver(mail) : void taken.push(mail))
    const service = await startApp({ mailer: { deliver, close() {} } })
    const host = await signUp(service, 'Alice')
    const meeting = await schedule(
      host,
      standUp({ startTime: '2999-01-07T09:00:00Z', endTime: '2999-01-07T09:30:00Z' }),
    )

    const trying = service.mails()
    const asked = await Promise.all(Array.from({ length: 20 }, () => host.send('GET', detailsPath(meeting))))
    assert.deepEqual(new Set(asked.map(({ status }) => status)), new Set([200]))
    assert.equal((await host.send('POST', '/api/auth/sign-in', { email: host.email, password })).status, 200)
    await trying
    assert.deepEqual(await failuresOf(meeting, host), [['bob@example.org', undefined]])
    poisoned = false
    await tryAgain(service)
    assert.deepEqual(
      taken.map(({ to }) => to),
      ['bob@example.org'],
    )
  })
}

function garbageTls(socket: Socket) {
  socket.write('220 mail.example.org ESMTP\r\n')
  socket.on('data', (sent) => {
    const said = String(sent)
    if (said.startsWith('EHLO')) socket.write('250-mail.example.org\r\n250 STARTTLS\r\n')
    else if (said.startsWith('STARTTLS')) socket.write('220 Go ahead\r\n')
    else socket.write(Buffer.alloc(512, 'not TLS at all '))
  })
}

function sendByteByByte(socket: Socket) {
  const greeting = '220-mail.example.org takes its time\r\n'.repeat(100)
  let at = 0
  // Ten times as fast as its name says, to shorten the test.
  const timer = setInterval(() => socket.write(greeting[at++] ?? 'x'), 100)
  socket.on('close', () => clearInterval(timer))
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { createMailServer, refusal } from '../../../test/mailbox.ts'
import { detailsPath, type Person, password, schedule, signUp, standUp } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { startApp, type TestApp } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'
import { createMailer, type Mail } from '../../email/mail.ts'
import { createLog } from '../../platform/log.ts'

const { mailer, openMailbox } = createMailServer()
const { app, clock, meet, addressOf } = await useApp({ start: '2030-01-01T12:00:00Z', mailer })

/** Run all waiting deliveries at once. */
async function tryAgain(service: TestApp = app) {
  await service.pool.query("update graphile_worker._private_jobs set run_at = now() - interval '1 second'")
  await service.mails()
}
const failuresSeenBy = async (reader: Person, meeting: { _id: string }) => {
  const [{ participants }] = await expectOk(reader.send('GET', detailsPath(meeting)))
  return participants.map(({ email, mailFailedOn }: Record<string, string>) => [email, mailFailedOn])
}

/** Meet Alice, who invites Bob and an address that may not exist. */
async function meetHost() {
  const [alice, bob] = await meet('Alice', 'Bob')
  const gone = addressOf('Gone')
  return {
    alice,
    bob,
    gone,
    box: openMailbox(bob.email, gone),
    both: { participants: [bob.email, gone] },
    inviteBob: () => schedule(alice, standUp({ participants: [bob.email] })),
    failuresOf: (meeting: { _id: string }) => failuresSeenBy(alice, meeting),
    /** Whether the host reads that the invitations were sent. */
    async showsInvitations(meeting: { _id: string }): Promise<boolean> {
      const [{ notificationsSend }] = await expectOk(alice.send('GET', detailsPath(meeting)))
      return notificationsSend.invitationMail
    },
  }
}
const jobsOf = async ({ _id }: { _id: string }) =>
  (await app.pool.query("select from graphile_worker.jobs where key like '%' || $1 || '%'", [_id])).rowCount

test('gives up a permanently refused address at once, shows it to the host, and delivers to the others', async () => {
  const { alice, bob, gone, box, both, failuresOf } = await meetHost()
  box.refuse = ({ to }) => (to === gone ? refusal(to, 550) : undefined)
  const meeting = await schedule(alice, standUp(both))
  await app.mails()
  assert.deepEqual(await failuresOf(meeting), [
    [bob.email, undefined],
    [gone, '2030-01-01T12:00:00.000Z'],
  ])
  assert.equal(await jobsOf(meeting), 0)
  assert.deepEqual(await failuresSeenBy(bob, meeting), [
    [bob.email, undefined],
    [gone, undefined],
  ])

  box.refuse = () => undefined
  await alice.send('PUT', detailsPath(meeting), standUp({ ...both, topic: 'Sit-down' }))
  await app.mails()
  assert.deepEqual((await failuresOf(meeting)).flat().filter(Boolean).length, 2)
})

test('retries an email after a temporary refusal and sends it once', async () => {
  const { bob, box, inviteBob, failuresOf, showsInvitations } = await meetHost()
  box.refuse = ({ to }) => refusal(to, 451)
  const meeting = await inviteBob()
  await app.mails()
  await tryAgain()
  assert.equal(await showsInvitations(meeting), false)
  box.refuse = () => undefined
  await tryAgain()
  await tryAgain()
  assert.equal(box.taken.length, 1)
  assert.deepEqual(await failuresOf(meeting), [[bob.email, undefined]])
})

test('does not treat a refused sender or password as an error of the address', async () => {
  const { bob, box, inviteBob, failuresOf } = await meetHost()
  box.refuse = ({ to }) => refusal(to, 553, 'MAIL FROM')
  const meeting = await inviteBob()
  await app.mails()
  assert.deepEqual(await failuresOf(meeting), [[bob.email, undefined]])
  box.refuse = () => undefined
  await tryAgain()
  assert.equal(box.taken.length, 1)
})

test('gives up after a day, and not a moment before', async () => {
  const { alice, bob, gone, box, both, failuresOf } = await meetHost()
  box.refuse = ({ to }) => refusal(to, 451)
  const meeting = await schedule(alice, standUp(both))
  await app.mails()
  clock.set('2030-01-02T11:59:59Z')
  await tryAgain()
  assert.deepEqual((await failuresOf(meeting)).flat().filter(Boolean).length, 2)
  clock.set('2030-01-02T12:00:00Z')
  await tryAgain()
  assert.deepEqual(await failuresOf(meeting), [
    [bob.email, '2030-01-02T12:00:00.000Z'],
    [gone, '2030-01-02T12:00:00.000Z'],
  ])
  assert.equal(await jobsOf(meeting), 0)
  const tries = box.tries
  await tryAgain()
  assert.equal(box.tries, tries)
})

test('sends emails once while another transaction locks the meeting, which shows it later', async () => {
  const { box, inviteBob, showsInvitations } = await meetHost()
  const meeting = await inviteBob()
  const client = await app.pool.connect()
  await client.query('begin')
  await client.query('select from meeting where id = $1 for update', [meeting._id])
  await app.mails()
  await client.query('commit')
  client.release()
  assert.equal(await showsInvitations(meeting), false)
  await tryAgain()
  assert.equal(await showsInvitations(meeting), true)
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
    assert.deepEqual(await failuresSeenBy(host, meeting), [['bob@example.org', undefined]])
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

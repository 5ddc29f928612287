import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import pg from 'pg'
import { appleReply, googleReply, outlookReply, type ReplyFields } from '../../test/meetings/calendar-replies.ts'
import { expectAnswer } from '../../test/one-connection.ts'
import { detailsPath, standUp } from '../../test/people.ts'
import { createTestDatabase } from '../../test/postgres/test-database.ts'
import { runParley } from '../../test/processes/run-parley.ts'
import { dataFolderOf, runService, runUntilExit } from '../../test/processes/run-service.ts'
import { signUp } from '../../test/processes/service-people.ts'

test('sends emails that waited when a backup was made after the restore, or not, as the operator says', async (t) => {
  const databases = await Promise.all([createTestDatabase(), createTestDatabase(), createTestDatabase()])
  t.after(() => Promise.all(databases.map((database) => database.drop())))
  const [from, to, copy] = databases.map(({ url }) => ({ DATABASE_URL: url }))
  const key = { SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t) }
  const away = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'parley@example.org', EMAIL_VERIFICATION: 'off' }
  const service = await runService(t, { environment: { ...key, ...from, ...away } })
  const olga = await signUp(service.base, 'Olga')
  await olga.schedule(standUp({ participants: ['bob@example.org', 'carol@example.org'] }))
  await expectAnswer(service.base, 202, 'POST', '/api/auth/password-reset', { body: { email: olga.email } })
  await service.waitForOutput(/"task":"send-mail".*a job failed; it is tried again/)
  const file = join(key.DATA_DIR, 'waiting.backup')
  assert.equal((await runParley(t, { ...key, ...from }, 'backup', file)).code, 0)

  const undecided = await runParley(t, { ...key, ...to }, 'restore', file)
  assert.equal(undecided.code, 1)
  const counted = '2 mails to guests of meetings and 1 mail to an account that were'
  assert.ok(undecided.output.startsWith(`The backup holds ${counted} not sent when it was made.`), undecided.output)

  const dropped = await runParley(t, { ...key, ...copy }, 'restore', '--drop-waiting', file)
  assert.match(dropped.output, /^Of them, 2 mails to guests .* will not be sent from here\.$/m)
  const jobs = async (url: string, statement: string) => {
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query(statement)
    await client.end()
    return rows
  }
  const held = 'select pending, held_sequence from guest_delivery'
  assert.deepEqual(await jobs(copy?.DATABASE_URL ?? '', held), Array(2).fill({ pending: false, held_sequence: -1 }))
  assert.match((await runParley(t, { ...key, ...copy }, 'doctor')).output, /^ok {6}jobs: None is late\.$/m)

  const sent = await runParley(t, { ...key, ...to }, 'restore', '--send-waiting', file)
  assert.match(sent.output, /^Of them, 2 mails to guests .* will be sent as soon as Parley runs\.$/m)
  await jobs(
    to?.DATABASE_URL ?? '',
    "select graphile_worker.remove_job(key) from graphile_worker.jobs where key like '%carol%'",
  )
  const orphaned = await runParley(t, { ...key, ...to }, 'doctor')
  assert.match(
    orphaned.output,
    /^warning jobs: 1 mails to guests of meetings wait without a job that sends them: .*mail send-waiting/m,
  )
  const queued = await runParley(t, { ...key, ...to }, 'mail', 'send-waiting')
  assert.match(queued.output, /^Mails to guests of meetings that are queued: 1\.$/m)
  await runService(t, { environment: { ...key, ...to } })
  const mailed = async () =>
    (await readdir(join(key.DATA_DIR, 'mail')).catch(() => [])).filter((name) => name.endsWith('.eml'))
  while ((await mailed()).length < 3) await sleep(50)
  const texts = await Promise.all((await mailed()).map((name) => readFile(join(key.DATA_DIR, 'mail', name), 'utf8')))
  const recipients = texts.map((text) => /^To: <?([^\s>]+)/m.exec(text)?.[1])
  assert.deepEqual(recipients.toSorted(), ['bob@example.org', 'carol@example.org', 'olga@example.org'])
})

const parley = fileURLToPath(new URL('../parley.ts', import.meta.url))

/** Run `mail receive` as a mail server's pipe does. */
async function receive(t: TestContext, environment: Record<string, string>, mail: string) {
  const file = join(await dataFolderOf(t), 'mail.eml')
  await writeFile(file, mail)
  const command = ['sh', '-c', 'exec "$1" "$2" mail receive < "$3"', 'sh', process.execPath, parley, file]
  const { code, output } = await runUntilExit(t, { environment, command })
  return { code, output }
}

/** The address and the UID of the invitation that was written into the folder. */
async function findInvitation(folder: string): Promise<Pick<ReplyFields, 'to' | 'uid'>> {
  for (;;) {
    const [name] = await readdir(folder).catch(() => [])
    const [, part = ''] =
      name === undefined
        ? []
        : (/text\/calendar[\s\S]*?\r?\n\r?\n([\s\S]*?)\r?\n--/.exec(await readFile(join(folder, name), 'utf8')) ?? [])
    const text = /^BEGIN/.test(part) ? part : Buffer.from(part, 'base64').toString()
    const lines = text.replaceAll(/\r?\n /g, '')
    const [, to] = /^ORGANIZER.*:mailto:(\S+)/m.exec(lines) ?? []
    const [, uid] = /^UID:(\S+)/m.exec(lines) ?? []
    if (to !== undefined && uid !== undefined) return { to, uid }
    await sleep(100)
  }
}

test('answers arrive by LMTP and through a pipe, are left to the mail server while the database is away, and stop with the service', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const environment = {
    SECRET_KEY: '0f'.repeat(32),
    DATA_DIR: await dataFolderOf(t),
    DATABASE_URL: database.url,
    REPLY_ADDRESS: 'rsvp@meet.example.org',
    INBOUND_MAIL_PORT: '0',
  }
  const service = await runService(t, { environment })
  const [, port] =
    /^- answers: {3}lmtp:\/\/localhost:(\d+) takes mail to rsvp@meet\.example\.org$/m.exec(service.output()) ?? []
  assert.ok(port !== undefined, service.output())
  const doctor = await runParley(t, { ...environment, INBOUND_MAIL_PORT: port }, 'doctor')
  assert.match(
    doctor.output,
    /^ok {6}answers: Parley takes mail to rsvp@meet\.example\.org at port \d+ of 127\.0\.0\.1\.$/m,
  )

  const alice = await signUp(service.base, 'Alice')
  const meeting = await alice.schedule(standUp({ participants: ['bob@example.org'] }))
  const replyFields = { ...(await findInvitation(join(environment.DATA_DIR, 'mail'))), from: 'bob@example.org' }
  const responseOf = async () => {
    const { body } = await expectAnswer(service.base, 200, 'GET', detailsPath(meeting), { token: alice.token })
    return body[0].participants[0].response
  }
  const stamp = `${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const lmtp = createTransport({ host: '127.0.0.1', port: Number(port), lmtp: true, ignoreTLS: true })
  const envelope = { from: 'bob@example.org', to: replyFields.to }
  await lmtp.sendMail({ envelope, raw: googleReply({ ...replyFields, stamp, partstat: 'ACCEPTED' }) })
  lmtp.close()
  assert.equal(await responseOf(), 'accepted')

  const piped = outlookReply({ ...replyFields, stamp, partstat: 'TENTATIVE' })
  assert.deepEqual(await receive(t, environment, piped), { code: 0, output: '' })
  assert.equal(await responseOf(), 'tentative')
  assert.deepEqual(await receive(t, environment, 'Subject: Hello\r\n\r\n'), { code: 0, output: '' })

  const declined = appleReply({ ...replyFields, stamp, partstat: 'DECLINED' })
  const away = await receive(t, { ...environment, DATABASE_URL: 'postgres://parley@127.0.0.1:1/parley' }, declined)
  assert.equal(away.code, 75, away.output)
  assert.ok(!away.output.includes('bob@'), away.output)
  assert.equal((await receive(t, { ...environment, SIGN_UP: 'maybe' }, declined)).code, 75)
  assert.equal(await responseOf(), 'tentative')

  service.signal('SIGTERM')
  assert.equal((await service.ended).code, 0)
  const idle = await runParley(t, { ...environment, INBOUND_MAIL_PORT: port }, 'doctor')
  assert.match(idle.output, /^ok {6}answers: Nothing listens at port /m)
  const other = createServer((socket) => socket.end('220 mail.example.org ESMTP\r\n')).listen(Number(port), '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const taken = await runParley(t, { ...environment, INBOUND_MAIL_PORT: port }, 'doctor')
  assert.match(taken.output, /^failure answers: Another program listens at port /m)
  assert.equal(taken.code, 1)
})

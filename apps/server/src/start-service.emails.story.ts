import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { expectAnswer } from '../test/one-connection.ts'
import { standUp } from '../test/people.ts'
import { createEmptyDatabase } from '../test/postgres/empty-database.ts'
import { killAll } from '../test/processes/process-tree.ts'
import { runService, type ServiceProcess } from '../test/processes/run-service.ts'
import { signUp } from '../test/processes/service-people.ts'

/** docs/reliability.md reports EMAILS=5000 KILLS=30; the suite tries a few. */
const emails = Number(process.env.EMAILS ?? 300)
const kills = Number(process.env.KILLS ?? 4)
const guestsOfOne = 100

/** The kills come at random moments; to repeat a run, give its seed. */
const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 1_000_000))
let state = seed
const random = () => {
  state = (state * 48_271 + 11) % 2_147_483_647
  return state / 2_147_483_647
}

/** A mail server that records the address and Message-ID of every email it answered with 250. */
async function startMailServer(t: TestContext) {
  const taken: { to: string; messageId: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', async () => {
        await sleep(random() * 10)
        const messageId = /^Message-ID: (\S+)/im.exec(Buffer.concat(chunks).toString('utf8'))?.[1] ?? ''
        taken.push({ to: envelope.rcptTo[0]?.address ?? '', messageId })
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(resolve)))
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, taken }
}

test('two instances that are killed at random moments lose no email, and repeat one only under its own Message-ID', async (t) => {
  t.diagnostic(`CRASH_SEED=${seed}`)
  const mailServer = await startMailServer(t)
  const databaseUrl = await createEmptyDatabase(t)
  const environment = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: '07'.repeat(32),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'parley@example.org',
    EMAIL_VERIFICATION: 'off',
  }
  const start = () => runService(t, { environment })
  const instances: [ServiceProcess, ServiceProcess] = [await start(), await start()]
  const { token } = await signUp(instances[0].base, 'Alice')
  const addresses: string[] = []
  for (let first = 0; first < emails; first += guestsOfOne) {
    const count = Math.min(guestsOfOne, emails - first)
    const participants = Array.from({ length: count }, (_, index) => `guest${first + index}@elsewhere.example`)
    addresses.push(...participants)
    await expectAnswer(instances[0].base, 200, 'POST', '/api/meeting', { token, body: standUp({ participants }) })
  }

  for (let kill = 0; kill < kills; kill++) {
    const enough = (emails / (kills + 1)) * (kill + 0.5 + random() / 2)
    while (mailServer.taken.length < enough) await sleep(5)
    const victim = random() < 0.5 ? 0 : 1
    killAll([instances[victim].pid])
    await instances[victim].ended
    instances[victim] = await start()
  }

  const client = new pg.Client(databaseUrl)
  // When a test fails, the database is removed before the mail server.
  client.on('error', () => {})
  await client.connect()
  const waiting = async () => {
    const { rows } = await client.query('select count(*)::integer as count from guest_delivery where pending')
    return rows[0].count
  }
  // Jobs of a killed process are taken over within 45 seconds (platform/jobs/orphaned-jobs.ts).
  while ((await waiting()) > 0) await sleep(100)

  const { rows } = await client.query(
    'select count(*)::integer as count from participant where mail_failed_at is not null',
  )
  await client.end()
  assert.equal(rows[0].count, 0)
  const namesOf = Map.groupBy(mailServer.taken, ({ to }) => to)
  assert.deepEqual([...namesOf.keys()].toSorted(), addresses.toSorted())
  for (const [to, mails] of namesOf) {
    assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 1, `${to} got two emails for one`)
  }
  const twice = mailServer.taken.length - namesOf.size
  t.diagnostic(`${emails} emails, ${kills} kills of an instance: none lost, ${twice} sent twice under one Message-ID`)
  // Three emails at a time are with the mail server when a process dies.
  assert.ok(twice <= kills * 3)
})

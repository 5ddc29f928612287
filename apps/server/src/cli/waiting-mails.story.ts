import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expectAnswer } from '../../test/one-connection.ts'
import { standUp } from '../../test/people.ts'
import { createTestDatabase } from '../../test/postgres/test-database.ts'
import { runParley } from '../../test/processes/run-parley.ts'
import { dataFolderOf, runService } from '../../test/processes/run-service.ts'
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

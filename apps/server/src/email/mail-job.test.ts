import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/postgres/test-database.ts'
import { runTask } from '../../test/run-task.ts'
import { createDatabase, createPool, type Database } from '../platform/database/database.ts'
import { createEncryption } from '../platform/encryption.ts'
import { startJobs } from '../platform/jobs/jobs.ts'
import { createLog } from '../platform/log.ts'
import type { Mail, Mailer } from './mail.ts'
import { createSendMailTask, queueMail } from './mail-job.ts'

const log = createLog({ level: 'silent' })
const encryption = createEncryption(Buffer.alloc(32, 1))
const baseUrl = 'https://meet.example.org:8443'
const mail = {
  to: 'bob@example.org',
  subject: 'Reset',
  text: 'https://meet.example.org/#secret',
  html: '<p>secret</p>',
}

let testDatabase: TestDatabase
let pool: ReturnType<typeof createPool>
let db: Database<unknown>
before(async () => {
  testDatabase = await createTestDatabase()
  pool = createPool({ connection: testDatabase.connection, maxConnections: 5, statementTimeoutMs: 4_000, log })
  db = createDatabase(pool)
})
after(async () => {
  await pool.end()
  await testDatabase.drop()
})

/** A mailer that keeps emails after failing the given number of times. */
function openMailbox(failures = 0) {
  const delivered: Mail[] = []
  const tried: Mail[] = []
  const mailer: Mailer = {
    async deliver(mail) {
      tried.push(mail)
      if (tried.length <= failures) throw new Error('Try again later')
      delivered.push(mail)
    },
    close() {},
  }
  return { mailer, delivered, tried }
}

async function runJobs(mailer: Mailer, isDone: () => boolean) {
  const tasks = createSendMailTask({ mailer, encryption, baseUrl })
  const jobs = await startJobs({ pool, tasks, log, concurrency: 1 })
  while (!isDone()) {
    await pool.query("update graphile_worker._private_jobs set run_at = now() - interval '1 second' where attempts > 0")
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await jobs.stop()
}

test('delivers an email queued in a transaction after its commit, and none after a rollback', async () => {
  const { mailer, delivered } = openMailbox()
  await db
    .transaction()
    .execute(async (tx) => {
      await queueMail(tx, encryption, { ...mail, subject: 'Rolled back' })
      throw new Error('no')
    })
    .catch(() => {})
  await db.transaction().execute((tx) => queueMail(tx, encryption, { ...mail, messageId: '<1@meet.example.org>' }))
  await runJobs(mailer, () => delivered.length > 0)
  assert.deepEqual(delivered, [{ ...mail, messageId: '<1@meet.example.org>' }])
})

test('the database reveals nothing of the email, and says that it is retried for a day', async () => {
  await queueMail(db, encryption, mail)
  const { rows } = await pool.query('select *, payload::text as text from graphile_worker._private_jobs')
  assert.equal(rows.length, 1)
  assert.doesNotMatch(JSON.stringify(rows), /secret|bob|Reset/)
  const { rows: waits } = await pool.query(
    "select sum(exp(least(attempt, 10)) * interval '1 second') > interval '24 hours' as enough from generate_series(1, $1 - 1) as attempt",
    [rows[0]?.max_attempts],
  )
  assert.deepEqual(waits, [{ enough: true }])
  await pool.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
})

test('retries an email under the same message id, and gives another email of the same text its own', async () => {
  const { mailer, tried, delivered } = openMailbox(2)
  await queueMail(db, encryption, mail)
  await runJobs(mailer, () => delivered.length === 1)
  await queueMail(db, encryption, mail)
  await runJobs(mailer, () => delivered.length === 2)
  const ids = tried.map(({ messageId }) => messageId)
  assert.equal(ids.length, 4)
  assert.match(ids[0] ?? '', /^<[0-9a-f]{32}@meet\.example\.org>$/)
  assert.deepEqual(new Set(ids.slice(0, 3)).size, 1)
  assert.notEqual(ids[3], ids[0])
})

test('does not deliver a payload that was tampered with', async () => {
  const { mailer, tried } = openMailbox()
  const send = createSendMailTask({ mailer, encryption, baseUrl })
  const other = createEncryption(Buffer.alloc(32, 2)).encrypt(JSON.stringify(mail), 'mail').toString('base64')
  for (const payload of [{ sealed: other }, { sealed: '' }, {}, null]) await assert.rejects(runTask(send, payload))
  assert.deepEqual(tried, [])
})

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/postgres/test-database.ts'
import { runParley } from '../../test/processes/run-parley.ts'
import { dataFolderOf, runService } from '../../test/processes/run-service.ts'
import { signUp } from '../../test/processes/service-people.ts'
import { bindUdpPort } from '../platform/udp-port.ts'

test('doctor reports no failure of a healthy service, and names the failures of another one', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const key = { SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t) }
  await using taken = await bindUdpPort(0)
  const free = await bindUdpPort(0)
  const media = { MEDIA_UDP_PORT: String(free.address().port) }
  await free[Symbol.asyncDispose]()
  const well = { ...key, ...media, DATABASE_URL: database.url, BASE_URL: 'https://meet.example.org' }
  const service = await runService(t, { environment: well })
  await signUp(service.base, 'Olga')
  const client = new pg.Client(database.url)
  await client.connect()
  // A job in its last attempt is not given up. Locked until later, it is not released as a dead process's job.
  await client.query("select graphile_worker.add_job('of-this-test', max_attempts => 1)")
  const jobs = 'graphile_worker._private_jobs'
  await client.query(`update ${jobs} set attempts = 1, locked_by = 'test', locked_at = now() + interval '1 hour'
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'of-this-test')`)
  const fine = await runParley(t, well, 'doctor')
  assert.equal(fine.code, 0, fine.output)
  const verdicts = fine.output.split('\n').map((line) => line.split(':')[0]?.replace(/\s+/, ' '))
  assert.match(fine.output, /^ok {6}disk: .* are free in .*\. The disk of your PostgreSQL is not checked\.$/m)
  assert.deepEqual(verdicts, [
    'ok address',
    'ok database',
    'warning durability',
    'warning durability',
    'ok clock',
    'ok secret key',
    'ok jobs',
    'ok disk',
    'warning mail',
    'ok media',
  ])

  await client.query(`update ${jobs} set locked_by = null, locked_at = null where locked_by = 'test'`)
  await client.end()
  const folder = join(key.DATA_DIR, 'not', 'there')
  const unmade = await runParley(t, { ...well, DATA_DIR: folder }, 'doctor')
  assert.equal(unmade.code, 0, unmade.output)
  assert.match(unmade.output, /^warning jobs: 1 were given up; the log says why\. 0 are late\.$/m)
  assert.match(
    unmade.output,
    /^ok {6}disk: .*not\/there is not there yet: it is made with the first mail\. The disk of your PostgreSQL is not checked\.$/m,
  )
  await writeFile(join(key.DATA_DIR, 'a-file'), '')
  const impossible = await runParley(t, { ...well, DATA_DIR: join(key.DATA_DIR, 'a-file', 'data') }, 'doctor')
  assert.equal(impossible.code, 1)
  assert.match(impossible.output, /^failure disk: .*data cannot be looked at: ENOTDIR$/m)

  const deaf = createServer((socket) => socket.end('554 go away\r\n'))
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve))
  t.after(() => deaf.close())
  const { port } = deaf.address() as { port: number }
  const ill = await runParley(
    t,
    {
      ...well,
      BASE_URL: 'http://meet.example.org',
      SECRET_KEY: 'ab'.repeat(32),
      SMTP_URL: `smtp://user:hush@127.0.0.1:${port}`,
      MAIL_FROM: 'parley@example.org',
      OIDC_ISSUER: `http://127.0.0.1:${port}`,
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 'hush',
      OIDC_NAME: 'Acme',
      MEDIA_UDP_PORT: String(taken.address().port),
    },
    'doctor',
  )
  assert.equal(ill.code, 1)
  assert.match(ill.output, /^warning address: http:\/\/meet\.example\.org is not https/m)
  assert.match(ill.output, /^failure secret key: It does not decrypt the secrets/m)
  assert.match(ill.output, /^failure mail: The mail server does not take us: /m)
  assert.match(ill.output, /^warning media: UDP port \d+ is in use .* its own MEDIA_UDP_PORT\.$/m)
  assert.match(ill.output, /^failure provider: Acme does not answer as http:\/\/127\.0\.0\.1:/m)
  assert.ok(!ill.output.includes('hush'))
  const livekit = { LIVEKIT_URL: 'wss://127.0.0.1:1', LIVEKIT_API_KEY: 'parley', LIVEKIT_API_SECRET: 'ab'.repeat(32) }
  const away = { ...key, ...livekit, DATABASE_URL: 'postgres://parley:hush@127.0.0.1:1/parley' }
  const unreachable = await runParley(t, away, 'doctor')
  assert.equal(unreachable.code, 1)
  assert.match(unreachable.output, /^failure database: /m)
  assert.match(unreachable.output, /^ok {6}address: http:\/\/parley\.localhost /m, 'a name of this machine')
  assert.match(unreachable.output, /^ok {6}media: Calls use LiveKit at \S+, which doctor does not contact\.$/m)
  assert.ok(!unreachable.output.includes('hush'))
})

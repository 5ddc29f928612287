import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { expectAnswer } from '../../test/one-connection.ts'
import { standUp } from '../../test/people.ts'
import { createTestDatabase } from '../../test/postgres/test-database.ts'
import { runParley } from '../../test/processes/run-parley.ts'
import { dataFolderOf, runService } from '../../test/processes/run-service.ts'
import { signUp } from '../../test/processes/service-people.ts'

const change = { before: false, after: true }

test('grants rights and backs data up while Parley serves', async (t) => {
  const dataDir = await dataFolderOf(t)
  const environment = { DATA_DIR: dataDir }
  const service = await runService(t, { environment })
  const olga = await signUp(service.base, 'Olga')
  const dan = await signUp(service.base, 'Dan')
  const apps = (status: number) => expectAnswer(service.base, status, 'GET', '/api/oauth2/apps', { token: dan.token })
  await apps(403)
  assert.match(
    (await runParley(t, environment, 'oauth', 'enable', 'DAN@example.org')).output,
    /^OAuth is enabled for /m,
  )
  await apps(200)
  assert.equal((await runParley(t, environment, 'oauth', 'enable', dan.email)).code, 0, 'twice is once')
  const unknownAccount = await runParley(t, environment, 'oauth', 'enable', 'nobody@example.org')
  assert.equal(unknownAccount.code, 1)
  assert.match(unknownAccount.output, /^There is no account of nobody@example\.org\.$/m)
  const eve = await signUp(service.base, 'Eve')
  const reason = { reason: 'We build a calendar.' }
  await expectAnswer(service.base, 202, 'POST', '/api/oauth2/access', { token: eve.token, body: reason })
  await runParley(t, environment, 'admin', 'create', eve.email)
  const { accounts } = (
    await expectAnswer(service.base, 200, 'GET', '/api/admin/accounts?q=eve', { token: olga.token })
  ).body
  assert.deepEqual([accounts[0].oauthEnabled, accounts[0].oauthRequest], [true, null])
  const promoted = await runParley(t, environment, 'admin', 'create', dan.email)
  assert.equal(promoted.code, 0)
  assert.match(promoted.output, /^dan@example\.org is an administrator and reviewer\.$/m)
  await expectAnswer(service.base, 200, 'GET', '/api/admin/accounts', { token: dan.token })
  const { entries } = (await expectAnswer(service.base, 200, 'GET', '/api/admin/audit-log', { token: dan.token })).body
  assert.deepEqual(
    entries
      .filter(({ operator }: { operator: boolean }) => operator)
      .map(({ action, detail }: { action: string; detail: object }) => [action, detail]),
    [
      ['account.updated', { admin: change, reviewer: change, by: 'operator' }],
      ['account.updated', { admin: change, reviewer: change, oauthEnabled: change, by: 'operator' }],
      ['account.updated', { oauthEnabled: change, by: 'operator' }],
    ],
  )

  const looked = await runParley(t, environment, 'doctor')
  assert.ok(looked.output.includes(` in ${dataDir} answers and is up to date (`), looked.output)
  assert.match(looked.output, /^(ok {6}|warning) postgres: .*18\.4 is of 2026-05-14/m)
  const meeting = await olga.schedule(standUp({ participants: [] }))
  const read = (base: string) =>
    expectAnswer(base, 200, 'GET', `/api/meeting/meetingDetails/${meeting._id}`, { token: olga.token })
  const before = (await read(service.base)).body
  const file = join(dataDir, 'parley.backup')
  const saved = await runParley(t, environment, 'backup', file)
  assert.match(saved.output, /^\d+ rows are in .*parley\.backup\.$/m)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const text = gunzipSync(await readFile(file)).toString('utf8')
  assert.ok(!text.includes(olga.token) && !text.includes(before[0].pin), 'what is hashed or encrypted stays so')
  const head = JSON.parse(text.slice(0, text.indexOf('\n')))
  assert.ok(head.tables.length > 20, `${head.tables.length} tables`)

  await t.test('it is restored into another folder, with the key that it was made with', async (inner) => {
    const elsewhere = await dataFolderOf(inner)
    const key = (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim()
    const there = { DATA_DIR: elsewhere, SECRET_KEY: key }
    const wrongKey = await runParley(inner, { ...there, SECRET_KEY: 'ab'.repeat(32) }, 'restore', file)
    assert.equal(wrongKey.code, 1)
    assert.match(wrongKey.output, /^The secret key here is not the one that the backup was made with/)
    for (const [name, bytes] of [
      ['cut', (await readFile(file)).subarray(0, -40)],
      ['short', gzipSync(text.slice(0, text.lastIndexOf('@')))],
      ['other', gzipSync('{"format":"something else"}\n')],
      ['plain', Buffer.from('no gzip')],
    ] as const) {
      await writeFile(`${file}.${name}`, bytes)
      const refused = await runParley(inner, there, 'restore', `${file}.${name}`)
      assert.deepEqual(
        [refused.code, /damaged or cut off|not a backup/.test(refused.output)],
        [1, true],
        refused.output,
      )
    }
    const missing = await runParley(inner, there, 'restore', `${file}.missing`)
    assert.match(missing.output, /cannot be read \(ENOENT\)\.$/)

    const restored = await runParley(inner, there, 'restore', file)
    assert.equal(restored.code, 0, restored.output)
    assert.match(restored.output, /^\d+ rows of the backup of \d{4}-.* are restored\.$/)
    const copy = await runService(inner, { environment: there })
    assert.deepEqual((await read(copy.base)).body, before)
    const again = await runParley(inner, there, 'restore', file)
    assert.match(again.output, /^A backup is restored into an empty database, and this one is not/)
  })
})

test('backs up and restores an external database as well, with the rows of every table', async (t) => {
  const [from, to] = [await createTestDatabase(), await createTestDatabase()]
  t.after(() => Promise.all([from.drop(), to.drop()]))
  const key = { SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t) }
  const environment = { ...key, DATABASE_URL: from.url }
  const service = await runService(t, { environment })
  const olga = await signUp(service.base, 'Olga')
  for (let count = 0; count < 3; count++) await olga.schedule()
  const client = new pg.Client(from.url)
  await client.connect()
  // What the service writes a moment after its replies: emails, and when a person was last there.
  const waiting = `select from guest_delivery where pending or job_id is not null
    union all select from account where last_seen_at is null`
  while (((await client.query(waiting)).rowCount ?? 0) > 0) await sleep(50)
  // Each minute it changes rows by itself, and the backups are compared.
  service.signal('SIGTERM')
  await service.ended
  const file = join(key.DATA_DIR, 'own.backup')
  assert.equal((await runParley(t, environment, 'backup', file)).code, 0)
  const restored = await runParley(t, { ...key, DATABASE_URL: to.url }, 'restore', file)
  assert.equal(restored.code, 0, restored.output)

  const refused = await runParley(t, environment, 'backup', file)
  assert.equal(refused.code, 1)
  assert.match(refused.output, /own\.backup is there already\. Give another name, or --force to replace it\.$/)
  const again = join(key.DATA_DIR, 'again.backup')
  await writeFile(again, 'an older one')
  assert.equal((await runParley(t, environment, 'backup', '--force', again)).code, 0)
  assert.match((await readFile(again)).subarray(0, 2).toString('hex'), /^1f8b$/, 'replaced by a gzip file')
  await rm(again)
  assert.equal((await runParley(t, { ...key, DATABASE_URL: to.url }, 'backup', again)).code, 0)
  const rowsOf = async (path: string) => {
    const [, ...lines] = gunzipSync(await readFile(path))
      .toString('utf8')
      .split('\n')
    return lines.toSorted()
  }
  assert.deepEqual(await rowsOf(again), await rowsOf(file))

  await client.end()
  const together = [join(key.DATA_DIR, 'together.backup'), join(key.DATA_DIR, 'together.backup')]
  await writeFile(`${together[0]}.unfinished`, 'of a run that was killed')
  const runs = await Promise.all(together.map((path) => runParley(t, environment, 'backup', path)))
  assert.deepEqual(runs.map(({ code }) => code).toSorted(), [0, 1], runs.map(({ output }) => output).join('\n'))
  assert.ok(
    runs.some(({ output }) =>
      output.endsWith('together.backup is there already. Give another name, or --force to replace it.'),
    ),
  )
  assert.deepEqual(await rowsOf(together[0] ?? ''), await rowsOf(file), 'whole, whichever was first')
  const left = (await readdir(key.DATA_DIR)).filter((name) => name.includes('together'))
  assert.deepEqual(left.toSorted(), ['together.backup', 'together.backup.unfinished'], 'each removes what it made')

  const taken = await runParley(t, environment, 'backup', join(key.DATA_DIR, 'missing-folder', 'x'))
  assert.match(taken.output, /cannot be written \(ENOENT\)\.$/)
})

test('writes nothing but the backup to standard output, and restores it from standard input', async (t) => {
  const [from, to] = [await createTestDatabase(), await createTestDatabase()]
  t.after(() => Promise.all([from.drop(), to.drop()]))
  const environment = { SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t), DATABASE_URL: from.url }
  assert.equal((await runParley(t, environment, 'admin', 'create', 'olga@example.org')).code, 0)

  const saved = pipeParley(environment, ['backup', '-'])
  assert.equal(saved.status, 0, String(saved.stderr))
  assert.match(String(saved.stderr), /^\d+ rows are in the backup\.$/m)
  const text = gunzipSync(saved.stdout).toString('utf8')
  assert.match(text, /^\{"format":"parley-backup"/)
  assert.ok(text.includes('olga@example.org'))

  const restored = pipeParley({ ...environment, DATABASE_URL: to.url }, ['restore', '-'], saved.stdout)
  assert.match(String(restored.stdout), /^\d+ rows of the backup of .* are restored\.$/m, String(restored.stderr))

  const byNpm = pipeParley({ ...environment, npm_lifecycle_event: 'parley', npm_config_loglevel: 'notice' }, [
    'backup',
    '-',
  ])
  assert.deepEqual([byNpm.status, byNpm.stdout.length], [1, 0])
  assert.match(String(byNpm.stderr), /npm run --silent parley -- backup -/)
})

test('a backup accepts a database of any version, and commands that write rows do not', async (t) => {
  const database = await createTestDatabase()
  const client = new pg.Client(database.url)
  await client.connect()
  t.after(async () => {
    await client.end()
    await database.drop()
  })
  const environment = { SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t), DATABASE_URL: database.url }
  // As on a standby, which is read-only, and with a version that is unknown here.
  await client.query("insert into schema_migration (name, sha256) values ('9999-newer.sql', 'x')")
  await client.query(`alter database ${database.connection.database} set default_transaction_read_only = on`)
  const standby = join(environment.DATA_DIR, 'newer.backup')
  const read = await runParley(t, environment, 'backup', standby)
  assert.deepEqual([read.code, /^The database is at 9999-newer\.sql\.$/m.test(read.output)], [0, true], read.output)
  const newer = await runParley(t, environment, 'oauth', 'enable', 'olga@example.org')
  assert.match(newer.output, /has the migration 9999-newer\.sql, which this Parley does not know/)
})

function pipeParley(environment: Record<string, string>, words: string[], input?: Buffer) {
  const parley = fileURLToPath(new URL('../parley.ts', import.meta.url))
  const env = { PATH: process.env.PATH, BASE_URL: 'http://parley.localhost', ...environment }
  return spawnSync(process.execPath, [parley, ...words], { env, input })
}

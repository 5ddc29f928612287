import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { expectAnswer } from '../../test/one-connection.ts'
import { standUp } from '../../test/people.ts'
import { createTestDatabase } from '../../test/postgres/test-database.ts'
import { runParley } from '../../test/processes/run-parley.ts'
import { dataFolderOf, runService } from '../../test/processes/run-service.ts'
import { signUp } from '../../test/processes/service-people.ts'
import { readConfig } from '../platform/config/config.ts'
import { noTables } from '../platform/database/schema-version.ts'
import { bindUdpPort } from '../platform/udp-port.ts'
import { configLines } from './show-config.ts'

const newPassword = 'a wholly new passphrase'

test('admin create makes the first administrator, who chooses a password by the link that is printed', async (t) => {
  const environment = { DATA_DIR: await dataFolderOf(t) }
  const early = await runParley(t, environment, 'admin', 'create', 'Olga@example.org')
  assert.deepEqual([early.code, early.said], [1, noTables])
  const { base } = await runService(t, { environment })
  const made = await runParley(t, environment, 'admin', 'create', 'Olga@example.org')
  assert.equal(made.code, 0, made.said)
  assert.match(made.said, /^Olga@example\.org has an account, and is an administrator and reviewer\.$/m)
  const token = /^http:\/\/parley\.localhost\/reset-password#token=(rst_\w{49})$/m.exec(made.said)?.[1]

  const common = { token, newPassword: 'changeme' }
  await expectAnswer(base, 400, 'POST', '/api/auth/password-reset', { body: common })
  await expectAnswer(base, 200, 'POST', '/api/auth/password-reset', { body: { token, newPassword } })
  const body = { email: 'olga@example.org', password: newPassword }
  const { user, token: session } = (await expectAnswer(base, 200, 'POST', '/api/auth/sign-in', { body })).body
  assert.deepEqual(user.roleIds, ['administrator', 'reviewer'])
  const { entries } = (await expectAnswer(base, 200, 'GET', '/api/admin/audit-log', { token: session })).body
  const byOperator = entries.filter(({ operator }: { operator: boolean }) => operator)
  assert.deepEqual(
    byOperator.map(({ action, actor }: { action: string; actor: unknown }) => [action, actor]),
    [['account.created', null]],
  )
  const { entries: own } = (await expectAnswer(base, 200, 'GET', '/api/auth/security-log', { token: session })).body
  const authors = own.map(({ action, by }: { action: string; by: string }) => `${action} ${by}`)
  assert.ok(authors.includes('account.created organisation'), authors.join())
})

const change = { before: false, after: true }

test('while Parley serves, its people are given rights, and its data is backed up, all the same', async (t) => {
  const dataDir = await dataFolderOf(t)
  const environment = { DATA_DIR: dataDir }
  const service = await runService(t, { environment })
  const olga = await signUp(service.base, 'Olga')
  const dan = await signUp(service.base, 'Dan')
  const apps = (status: number) => expectAnswer(service.base, status, 'GET', '/api/oauth2/apps', { token: dan.token })
  await apps(403)
  assert.match((await runParley(t, environment, 'oauth', 'enable', 'DAN@example.org')).said, /^OAuth is enabled for /m)
  await apps(200)
  assert.equal((await runParley(t, environment, 'oauth', 'enable', dan.email)).code, 0, 'twice is once')
  const unknownAccount = await runParley(t, environment, 'oauth', 'enable', 'nobody@example.org')
  assert.equal(unknownAccount.code, 1)
  assert.match(unknownAccount.said, /^There is no account of nobody@example\.org\.$/m)
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
  assert.match(promoted.said, /^dan@example\.org is an administrator and reviewer\.$/m)
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
  assert.ok(looked.said.includes(` in ${dataDir} answers and is up to date (`), looked.said)
  assert.match(looked.said, /^(ok {6}|warning) postgres: .*18\.4 is of 2026-05-14/m)
  const meeting = await olga.schedule(standUp({ participants: [] }))
  const read = (base: string) =>
    expectAnswer(base, 200, 'GET', `/api/meeting/meetingDetails/${meeting._id}`, { token: olga.token })
  const before = (await read(service.base)).body
  const file = join(dataDir, 'parley.backup')
  const saved = await runParley(t, environment, 'backup', file)
  assert.match(saved.said, /^\d+ rows are in .*parley\.backup\.$/m)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const text = gunzipSync(await readFile(file)).toString('utf8')
  assert.ok(!text.includes(olga.token) && !text.includes(before[0].pin), 'what is hashed or sealed stays so')
  const head = JSON.parse(text.slice(0, text.indexOf('\n')))
  assert.ok(head.tables.length > 20, `${head.tables.length} tables`)

  await t.test('it is restored into another folder, with the key that it was made with', async (inner) => {
    const elsewhere = await dataFolderOf(inner)
    const key = (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim()
    const there = { DATA_DIR: elsewhere, SECRET_KEY: key }
    const wrongKey = await runParley(inner, { ...there, SECRET_KEY: 'ab'.repeat(32) }, 'restore', file)
    assert.equal(wrongKey.code, 1)
    assert.match(wrongKey.said, /^The secret key here is not the one that the backup was made with/)
    for (const [name, bytes] of [
      ['cut', (await readFile(file)).subarray(0, -40)],
      ['short', gzipSync(text.slice(0, text.lastIndexOf('@')))],
      ['other', gzipSync('{"format":"something else"}\n')],
      ['plain', Buffer.from('no gzip')],
    ] as const) {
      await writeFile(`${file}.${name}`, bytes)
      const refused = await runParley(inner, there, 'restore', `${file}.${name}`)
      assert.deepEqual([refused.code, /damaged or cut off|not a backup/.test(refused.said)], [1, true], refused.said)
    }
    const missing = await runParley(inner, there, 'restore', `${file}.missing`)
    assert.match(missing.said, /cannot be read \(ENOENT\)\.$/)

    const restored = await runParley(inner, there, 'restore', file)
    assert.equal(restored.code, 0, restored.said)
    assert.match(restored.said, /^\d+ rows of the backup of \d{4}-.* are restored\.$/)
    const copy = await runService(inner, { environment: there })
    assert.deepEqual((await read(copy.base)).body, before)
    const again = await runParley(inner, there, 'restore', file)
    assert.match(again.said, /^A backup is restored into an empty database, and this one is not/)
  })
})

test('a database of one’s own is backed up and restored as well, rows of every table alike', async (t) => {
  const [from, to] = [await createTestDatabase(), await createTestDatabase()]
  t.after(() => Promise.all([from.drop(), to.drop()]))
  const key = { SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t) }
  const environment = { ...key, DATABASE_URL: from.url }
  const service = await runService(t, { environment })
  const olga = await signUp(service.base, 'Olga')
  for (let count = 0; count < 3; count++) await olga.schedule()
  const client = new pg.Client(from.url)
  await client.connect()
  const waiting = 'select from guest_delivery where pending or job_id is not null'
  while (((await client.query(waiting)).rowCount ?? 0) > 0) await sleep(50)
  const file = join(key.DATA_DIR, 'own.backup')
  assert.equal((await runParley(t, environment, 'backup', file)).code, 0)
  const restored = await runParley(t, { ...key, DATABASE_URL: to.url }, 'restore', file)
  assert.equal(restored.code, 0, restored.said)

  const refused = await runParley(t, environment, 'backup', file)
  assert.equal(refused.code, 1)
  assert.match(refused.said, /own\.backup is there already\. Give another name, or --force to replace it\.$/)
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
  assert.deepEqual(runs.map(({ code }) => code).toSorted(), [0, 1], runs.map(({ said }) => said).join('\n'))
  assert.ok(
    runs.some(({ said }) =>
      said.endsWith('together.backup is there already. Give another name, or --force to replace it.'),
    ),
  )
  assert.deepEqual(await rowsOf(together[0] ?? ''), await rowsOf(file), 'whole, whichever was first')
  const left = (await readdir(key.DATA_DIR)).filter((name) => name.includes('together'))
  assert.deepEqual(left.toSorted(), ['together.backup', 'together.backup.unfinished'], 'each removes what it made')

  const taken = await runParley(t, environment, 'backup', join(key.DATA_DIR, 'missing-folder', 'x'))
  assert.match(taken.said, /cannot be written \(ENOENT\)\.$/)
})

test('mails that waited when a backup was made are sent after the restore, or not, as the operator says', async (t) => {
  const databases = await Promise.all([createTestDatabase(), createTestDatabase(), createTestDatabase()])
  t.after(() => Promise.all(databases.map((database) => database.drop())))
  const [from, to, copy] = databases.map(({ url }) => ({ DATABASE_URL: url }))
  const key = { SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t) }
  const away = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'parley@example.org', EMAIL_VERIFICATION: 'off' }
  const service = await runService(t, { environment: { ...key, ...from, ...away } })
  const olga = await signUp(service.base, 'Olga')
  await olga.schedule(standUp({ participants: ['bob@example.org', 'carol@example.org'] }))
  await expectAnswer(service.base, 202, 'POST', '/api/auth/password-reset', { body: { email: olga.email } })
  await service.hasSaid(/"task":"send-mail".*a job failed; it is tried again/)
  const file = join(key.DATA_DIR, 'waiting.backup')
  assert.equal((await runParley(t, { ...key, ...from }, 'backup', file)).code, 0)

  const undecided = await runParley(t, { ...key, ...to }, 'restore', file)
  assert.equal(undecided.code, 1)
  const counted = '2 mails to guests of meetings and 1 mail to an account that were'
  assert.ok(undecided.said.startsWith(`The backup holds ${counted} not sent when it was made.`), undecided.said)

  const dropped = await runParley(t, { ...key, ...copy }, 'restore', '--drop-waiting', file)
  assert.match(dropped.said, /^Of them, 2 mails to guests .* will not be sent from here\.$/m)
  const jobs = async (url: string, statement: string) => {
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query(statement)
    await client.end()
    return rows
  }
  const held = 'select pending, held_sequence from guest_delivery'
  assert.deepEqual(await jobs(copy?.DATABASE_URL ?? '', held), Array(2).fill({ pending: false, held_sequence: -1 }))
  assert.match((await runParley(t, { ...key, ...copy }, 'doctor')).said, /^ok {6}jobs: None is late\.$/m)

  const sent = await runParley(t, { ...key, ...to }, 'restore', '--send-waiting', file)
  assert.match(sent.said, /^Of them, 2 mails to guests .* will be sent as soon as Parley runs\.$/m)
  await jobs(
    to?.DATABASE_URL ?? '',
    "select graphile_worker.remove_job(key) from graphile_worker.jobs where key like '%carol%'",
  )
  const orphaned = await runParley(t, { ...key, ...to }, 'doctor')
  assert.match(
    orphaned.said,
    /^warning jobs: 1 mails to guests of meetings wait without a job that sends them: .*mail send-waiting/m,
  )
  const queued = await runParley(t, { ...key, ...to }, 'mail', 'send-waiting')
  assert.match(queued.said, /^Mails to guests of meetings that are queued: 1\.$/m)
  await runService(t, { environment: { ...key, ...to } })
  const mailed = async () =>
    (await readdir(join(key.DATA_DIR, 'mail')).catch(() => [])).filter((name) => name.endsWith('.eml'))
  while ((await mailed()).length < 3) await sleep(50)
  const texts = await Promise.all((await mailed()).map((name) => readFile(join(key.DATA_DIR, 'mail', name), 'utf8')))
  const recipients = texts.map((text) => /^To: <?([^\s>]+)/m.exec(text)?.[1])
  assert.deepEqual(recipients.toSorted(), ['bob@example.org', 'carol@example.org', 'olga@example.org'])
})

test('an operator looks at accounts, closes and opens them, and invites people, with nobody signed in', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const key = { SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t) }
  const environment = { ...key, DATABASE_URL: database.url, SIGN_UP: 'open' }
  const service = await runService(t, { environment })
  const olga = await signUp(service.base, 'Olga')
  const dan = await signUp(service.base, 'Dan')
  await dan.schedule()
  const parley = (...words: string[]) => runParley(t, environment, ...words)
  const me = (status: number) => expectAnswer(service.base, status, 'GET', '/api/my_profile', { token: dan.token })

  const listed = await parley('account', 'list')
  assert.ok(
    listed.said.includes(`${olga.userId}\tolga@example.org\tOlga Test\tadministrator,reviewer,oauth`),
    listed.said,
  )
  const shown = await parley('account', 'show', 'DAN@example.org')
  assert.match(shown.said, /^rights: +none$/m)
  assert.match(shown.said, /^meetings: +1$/m)

  assert.match(
    (await parley('account', 'disable', dan.userId)).said,
    /^The account of dan@example\.org is disabled\.$/m,
  )
  await me(401)
  const refused = await parley('account', 'disable', olga.email)
  assert.deepEqual([refused.code, /is the last administrator/.test(refused.said)], [1, true], refused.said)
  assert.equal((await parley('account', 'enable', dan.email)).code, 0)

  const reset = await parley('account', 'reset-password', dan.email)
  const token = /reset-password#token=(rst_\w{49})$/m.exec(reset.said)?.[1]
  await expectAnswer(service.base, 200, 'POST', '/api/auth/password-reset', { body: { token, newPassword } })
  const body = { email: dan.email, password: newPassword }
  await expectAnswer(service.base, 200, 'POST', '/api/auth/sign-in', { body })

  const invited = await parley('account', 'invite', 'erin@example.org')
  assert.match(invited.said, /^http:\/\/parley\.localhost\/sign-up#invitation=inv_\w{49}$/m)
  const known = await parley('account', 'invite', dan.email)
  assert.match(known.said, /has an account already: account reset-password/)

  assert.equal((await parley('account', 'delete', '--hand-over', dan.email)).code, 0)
  await expectAnswer(service.base, 401, 'POST', '/api/auth/sign-in', { body })
  assert.match((await parley('account', 'show', dan.userId)).said, /was deleted on \d{4}-/)
  const { entries } = (await expectAnswer(service.base, 200, 'GET', '/api/admin/audit-log', { token: olga.token })).body
  const ofOperator = entries.filter(({ detail }: { detail: { by?: string } }) => detail.by === 'operator')
  assert.deepEqual(
    ofOperator.map(({ action }: { action: string }) => action),
    ['account.deleted', 'account.invited', 'account.updated', 'account.updated', 'account.updated'],
  )

  const written = await parley('mail', 'test', 'olga@example.org')
  assert.match(written.said, /^There is no SMTP_URL: the mail is a file in /)
  const away = { SMTP_URL: 'smtp://user:hush@127.0.0.1:1', MAIL_FROM: 'parley@example.org' }
  const failed = await runParley(t, { ...environment, ...away }, 'mail', 'test', 'olga@example.org')
  assert.deepEqual([failed.code, failed.said.includes('hush')], [1, false])
  assert.match(failed.said, /^The mail server did not take the mail from parley@example\.org to olga@example\.org: E/)
})

test('a backup to standard output is nothing but the backup, and restored from standard input', async (t) => {
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

test('no command migrates: a backup is made of any version, and what writes rows is refused', async (t) => {
  const database = await createTestDatabase()
  const client = new pg.Client(database.url)
  await client.connect()
  t.after(async () => {
    await client.end()
    await database.drop()
  })
  const environment = { SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t), DATABASE_URL: database.url }
  const namesInTable = async () =>
    (await client.query<{ name: string }>('select name from schema_migration order by name')).rows.map(
      ({ name }) => name,
    )
  const current = await namesInTable()
  const [newest = '', older = ''] = current.toReversed()

  await client.query('delete from schema_migration where name = $1', [newest])
  const refused = await runParley(t, environment, 'admin', 'create', 'olga@example.org')
  assert.equal(refused.code, 1)
  assert.match(
    refused.said,
    new RegExp(`^The database is at ${older}, and this version of Parley has 1 migration more`, 'm'),
  )
  const examined = await runParley(t, environment, 'doctor')
  assert.match(
    examined.said,
    new RegExp(`^warning database: Your PostgreSQL \\S+ .*is at ${older}, and this version`, 'm'),
  )
  const file = join(environment.DATA_DIR, 'older.backup')
  const saved = await runParley(t, environment, 'backup', file)
  assert.equal(saved.code, 0, saved.said)
  assert.match(saved.said, new RegExp(`^The database is at ${older}\\.$`, 'm'))
  const head = JSON.parse(
    gunzipSync(await readFile(file))
      .toString('utf8')
      .split('\n', 1)[0] ?? '',
  )
  assert.deepEqual(
    head.migrations.map(({ name }: { name: string }) => name),
    current.slice(0, -1),
  )
  assert.deepEqual(await namesInTable(), current.slice(0, -1), 'nothing was migrated')

  // As on a standby: nothing can be written. And a version that this one does not know.
  await client.query("insert into schema_migration (name, sha256) values ('9999-newer.sql', 'x')")
  await client.query(`alter database ${database.connection.database} set default_transaction_read_only = on`)
  const standby = join(environment.DATA_DIR, 'newer.backup')
  const read = await runParley(t, environment, 'backup', standby)
  assert.deepEqual([read.code, /^The database is at 9999-newer\.sql\.$/m.test(read.said)], [0, true], read.said)
  const newer = await runParley(t, environment, 'oauth', 'enable', 'olga@example.org')
  assert.match(newer.said, /has the migration 9999-newer\.sql, which this Parley does not know/)
})

function pipeParley(environment: Record<string, string>, words: string[], input?: Buffer) {
  const parley = fileURLToPath(new URL('../parley.ts', import.meta.url))
  const env = { PATH: process.env.PATH, BASE_URL: 'http://parley.localhost', ...environment }
  return spawnSync(process.execPath, [parley, ...words], { env, input })
}

test('doctor finds nothing wrong with a service that is well, and says what is missing of one that is not', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const key = { SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t) }
  await using taken = await bindUdpPort(0)
  const free = await bindUdpPort(0)
  const media = { MEDIA_UDP_PORT: String(free.address().port) }
  await free[Symbol.asyncDispose]()
  const well = { ...key, ...media, DATABASE_URL: database.url, BASE_URL: 'https://meet.example.org' }
  const service = await runService(t, { environment: well })
  await signUp(service.base, 'Olga', service.setUpCodes()[0])
  const fine = await runParley(t, well, 'doctor')
  assert.equal(fine.code, 0, fine.said)
  const verdicts = fine.said.split('\n').map((line) => line.split(':')[0]?.replace(/\s+/, ' '))
  assert.match(fine.said, /^ok {6}disk: .* are free in .*\. The disk of your PostgreSQL is not checked\.$/m)
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

  const folder = join(key.DATA_DIR, 'not', 'there')
  const unmade = await runParley(t, { ...well, DATA_DIR: folder }, 'doctor')
  assert.equal(unmade.code, 0, unmade.said)
  assert.match(
    unmade.said,
    /^ok {6}disk: .*not\/there is not there yet: it is made with the first mail\. The disk of your PostgreSQL is not checked\.$/m,
  )
  await writeFile(join(key.DATA_DIR, 'a-file'), '')
  const impossible = await runParley(t, { ...well, DATA_DIR: join(key.DATA_DIR, 'a-file', 'data') }, 'doctor')
  assert.equal(impossible.code, 1)
  assert.match(impossible.said, /^failure disk: .*data cannot be looked at: ENOTDIR$/m)

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
  assert.match(ill.said, /^warning address: http:\/\/meet\.example\.org is not https/m)
  assert.match(ill.said, /^failure secret key: It does not open what is sealed/m)
  assert.match(ill.said, /^failure mail: The mail server does not take us: /m)
  assert.match(ill.said, /^warning media: UDP port \d+ is in use .* its own MEDIA_UDP_PORT\.$/m)
  assert.match(ill.said, /^failure provider: Acme does not answer as http:\/\/127\.0\.0\.1:/m)
  assert.ok(!ill.said.includes('hush'))
  const livekit = { LIVEKIT_URL: 'wss://127.0.0.1:1', LIVEKIT_API_KEY: 'parley', LIVEKIT_API_SECRET: 'ab'.repeat(32) }
  const away = { ...key, ...livekit, DATABASE_URL: 'postgres://parley:hush@127.0.0.1:1/parley' }
  const unreachable = await runParley(t, away, 'doctor')
  assert.equal(unreachable.code, 1)
  assert.match(unreachable.said, /^failure database: /m)
  assert.match(unreachable.said, /^ok {6}address: http:\/\/parley\.localhost /m, 'a name of this machine')
  assert.match(unreachable.said, /^ok {6}media: Calls use LiveKit at \S+, which doctor does not contact\.$/m)
  assert.ok(!unreachable.said.includes('hush'))
})

test('config shows every variable, and of a secret only that it is set', async (t) => {
  const secrets = {
    SECRET_KEY: '0f'.repeat(32),
    DATABASE_URL: 'postgres://parley:hush@db/parley',
    SMTP_URL: 'smtp://parley:hush@mail',
    MAIL_FROM: 'parley@example.org',
    OIDC_ISSUER: 'https://login.example.org',
    OIDC_CLIENT_ID: 'parley',
    OIDC_CLIENT_SECRET: 'hush',
    LIVEKIT_URL: 'wss://livekit.example.org',
    LIVEKIT_API_KEY: 'parley',
    LIVEKIT_API_SECRET: 'hush',
    TURN_URLS: 'turn:turn.example.org',
    TURN_SECRET: 'hush',
  }
  const { code, said } = await runParley(t, { ...secrets, TENANTS: 'acme.com=Acme', PORT: '4000' }, 'config')
  assert.equal(code, 0)
  assert.ok(!said.includes('hush') && !said.includes(secrets.SECRET_KEY))
  assert.match(said, /^PORT=4000$/m)
  assert.match(said, /^TENANTS=acme\.com=Acme$/m)
  assert.match(said, /^OIDC_CLIENT_SECRET=\(set, not shown\)$/m)
  const read = readConfig({})
  assert.ok(read.kind === 'read')
  const example = parseEnv(await readFile(fileURLToPath(new URL('../../../../.env.example', import.meta.url)), 'utf8'))
  const shown = configLines(read.config).map((line) => line.slice(0, line.indexOf('=')))
  assert.deepEqual(shown.toSorted(), Object.keys(example).toSorted())

  const wrong = await runParley(t, { PORT: 'x', SIGN_UP: 'maybe' }, 'config')
  assert.deepEqual([wrong.code, wrong.said.split('\n').length], [1, 3], wrong.said)
})

test('what is not understood is answered with what there is', async (t) => {
  for (const words of [['dance'], ['admin', 'create'], ['backup'], ['account', 'list', '--hand-over']]) {
    const { code, said } = await runParley(t, {}, ...words)
    assert.equal(code, 2, words.join(' '))
    assert.match(said, /^ {2}doctor +look at/m)
  }
  assert.equal((await runParley(t, {})).code, 0)
  const mistyped = await runParley(t, { DATA_DIR: await dataFolderOf(t) }, 'admin', 'create', 'olga')
  assert.deepEqual([mistyped.code, mistyped.said], [1, 'olga is not an email address.'])
})

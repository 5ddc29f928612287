import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createPool } from '../../apps/server/src/platform/database/database.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import { createTestDatabase, type TestDatabase } from '../../apps/server/test/postgres/test-database.ts'
import { runParley } from '../../apps/server/test/processes/run-parley.ts'
import { dataFolderOf, runService, runUntilExit } from '../../apps/server/test/processes/run-service.ts'
import { signUp } from '../../apps/server/test/processes/service-people.ts'
import { startDebianProcess } from '../helpers/debian-process.ts'
import { freePorts } from '../helpers/free-port.ts'

/**
 * Run Debian's PgBouncer in front of PostgreSQL with the pgbouncer.ini of docs/scaling.md, and with unsupported
 * modes.
 */

const guide = await readFile(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
const example = /^```ini\n(\[databases\][\s\S]*?)^```$/m.exec(guide)?.[1] ?? ''

/** The tests' PostgreSQL listens on a Unix socket in a folder that PgBouncer's user cannot access. */
async function openPort(t: TestContext, { connection }: TestDatabase): Promise<number> {
  const server = createServer((near) => {
    const far = connect(`${connection.host}/.s.PGSQL.${connection.port}`)
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

function replace(text: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((changed, [old, by]) => {
    assert.ok(changed.includes(old), `the example has no ${old}`)
    return changed.replace(old, by)
  }, text)
}

/** Start PgBouncer with the settings of the guide, except the mode. @returns DATABASE_URL */
async function startPgbouncer(t: TestContext, mode: 'session' | 'transaction' | 'statement'): Promise<string> {
  const database = await createTestDatabase()
  const { user, database: name } = database.connection
  const [port = 0] = await freePorts(1)
  const folder = await mkdtemp(join(tmpdir(), 'parley-pgbouncer-'))
  await chmod(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const settings = replace(example, {
    'host=127.0.0.1 port=5432 dbname=parley': `host=127.0.0.1 port=${await openPort(t, database)} dbname=${name} user=${user}`,
    'listen_port = 6432': `listen_port = ${port}\nunix_socket_dir =\nuser = nobody`,
    'auth_type = scram-sha-256': 'auth_type = any',
    'auth_file = /etc/pgbouncer/userlist.txt': '',
    'pool_mode = session': `pool_mode = ${mode}`,
  })
  await writeFile(file, settings)
  const isReady = async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
    return true
  }
  const pgbouncer = await startDebianProcess({ command: '/usr/sbin/pgbouncer', arguments: [file], isReady })
  t.after(async () => {
    await pgbouncer[Symbol.asyncDispose]()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  return `postgres://${user}@127.0.0.1:${port}/parley`
}

const settingsFor = async (t: TestContext, url: string) => ({
  DATABASE_URL: url,
  SECRET_KEY: '0f'.repeat(32),
  DATA_DIR: await dataFolderOf(t),
})

test('in session mode, as in the guide, Parley serves and all limits apply', async (t) => {
  const environment = await settingsFor(t, await startPgbouncer(t, 'session'))
  const service = await runService(t, { environment })
  const olga = await signUp(service.base, 'Olga')
  await Promise.all(Array.from({ length: 40 }, () => olga.schedule()))
  const log = createLog({ level: 'silent' })
  const connection = { connectionString: environment.DATABASE_URL }
  const pool = createPool({ connection, maxConnections: 1, statementTimeoutMs: 1_234, log })
  const { rows } = await pool.query(`select current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`)
  await pool.end()
  assert.deepEqual(rows[0], { statement: '1234ms', lock: '3s', idle: '10s' })
  assert.doesNotMatch(service.output(), /"level":"error"/)
})

for (const mode of ['transaction', 'statement'] as const) {
  test(`in ${mode} mode, startup and doctor report what is wrong`, async (t) => {
    const environment = await settingsFor(t, await startPgbouncer(t, mode))
    const { code, output } = await runUntilExit(t, { environment })
    assert.equal(code, 1, output)
    assert.match(output, /^Parley cannot start: .*a pooler in transaction or statement mode/m)
    const examined = await runParley(t, environment, 'doctor')
    assert.match(examined.output, /^failure database: .*a pooler in transaction or statement mode/m)
  })
}

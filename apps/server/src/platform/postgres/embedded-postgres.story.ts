import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  dataFolder,
  processesWith,
  query,
  socketsOf,
  startParley,
  temporaryFolder,
  tryParley,
  until,
  withPostgres,
  writeUntilBroken,
} from '../../../test/postgres/embedded-postgres.ts'
import { clusterName, readPidFile } from './leftovers.ts'

const clusterOf = (dataDir: string) => join(dataDir, 'postgres')

async function postmasterOf(dataDir: string): Promise<number> {
  const { pid } = await readPidFile(clusterOf(dataDir))
  assert.ok(pid !== undefined)
  return pid
}

const serversOf = async (dataDir: string) => processesWith(await clusterName(clusterOf(dataDir)))

/** Some may have ended since they were listed. */
function killAll(pids: readonly number[], signal: NodeJS.Signals) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {}
  }
}

async function assertWhole(dataDir: string, acknowledged: number) {
  await withPostgres(dataDir, async ({ connection }) => {
    const [row] = await query(connection, 'SELECT count(*)::int, max(number) FROM number_written')
    // The last one may have been committed without being acknowledged.
    assert.ok(row?.count === acknowledged || row?.count === acknowledged + 1, `${row?.count} of ${acknowledged}`)
    assert.equal(row?.max, row?.count)
  })
}

test('keeps its data from one start to the next', async (t) => {
  const dataDir = await temporaryFolder(t)
  await withPostgres(dataDir, async ({ connection }) => {
    await query(connection, "CREATE TABLE note AS SELECT 'kept' AS text")
  })
  await withPostgres(dataDir, async ({ connection }) => {
    assert.deepEqual(await query(connection, 'SELECT text FROM note'), [{ text: 'kept' }])
  })
  assert.deepEqual((await readdir(dataDir)).sort(), ['parley.lock', 'postgres', 'postgres.log'])
})

test('is the same on every machine, safe from a power cut, and gives the service no more than its database', async (t) => {
  await withPostgres(await dataFolder(t), async ({ connection }) => {
    const [row] = await query(
      connection,
      `SELECT current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone,
              current_setting('data_checksums') AS checksums, current_setting('fsync') AS fsync,
              (SELECT datlocale FROM pg_database WHERE datname = current_database()) AS locale,
              (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
              lower('ÄÖ') AS lower, 'Zebra' < 'apple' AS by_code_point`,
    )
    assert.deepEqual(row, {
      encoding: 'UTF8',
      zone: 'UTC',
      checksums: 'on',
      fsync: 'on',
      locale: 'C.UTF-8',
      superuser: false,
      lower: 'äö',
      by_code_point: true,
    })
  })
})

test('listens on no network, and admits no other user to the folder of its socket', async (t) => {
  const dataDir = await dataFolder(t)
  await withPostgres(dataDir, async ({ connection }) => {
    assert.equal((await stat(connection.host)).mode & 0o777, 0o700)
    const sockets = (await Promise.all((await serversOf(dataDir)).map(socketsOf))).flat()
    assert.ok(sockets.length > 0)
    for (const protocol of ['tcp', 'tcp6', 'udp', 'udp6']) {
      const table = await readFile(`/proc/net/${protocol}`, 'utf8').catch(() => '')
      const inodes = table.split('\n').map((line) => line.trim().split(/\s+/)[9])
      for (const socket of sockets) assert.ok(!inodes.includes(socket), `a ${protocol} socket`)
    }
  })
})

test('stops by itself when Parley is killed, and starts again with every acknowledged row', async (t) => {
  const dataDir = await dataFolder(t)
  const parley = await startParley(t, dataDir)
  const writing = writeUntilBroken(parley.connection)
  await sleep(200)
  await parley.end('SIGKILL')
  await until(async () => (await serversOf(dataDir)).length === 0)
  await assertWhole(dataDir, await writing)
})

test('reports that it was killed, and starts again with every acknowledged row', async (t) => {
  const dataDir = await dataFolder(t)
  const parley = await startParley(t, dataDir)
  const writing = writeUntilBroken(parley.connection)
  await sleep(200)
  const ended = new Promise((resolve) => parley.process.once('close', resolve))
  process.kill(await postmasterOf(dataDir), 'SIGKILL')
  const acknowledged = await writing
  assert.equal(await ended, 3)
  assert.match(await parley.end('SIGTERM'), /PostgreSQL ended by itself \(signal 9\)/)
  await assertWhole(dataDir, acknowledged)
})

test('recovers when everything is killed at once', async (t) => {
  const dataDir = await dataFolder(t)
  const parley = await startParley(t, dataDir)
  const writing = writeUntilBroken(parley.connection)
  await sleep(200)
  parley.process.kill('SIGKILL')
  killAll(await serversOf(dataDir), 'SIGKILL')
  await assertWhole(dataDir, await writing)
})

test('recovers from being killed at any moment of its first start', async (t) => {
  for (const afterMs of [200, 400, 600]) {
    const dataDir = await temporaryFolder(t)
    const starting = tryParley(t, dataDir)
    await sleep(afterMs)
    killAll(await processesWith(dataDir), 'SIGKILL')
    await starting
    await withPostgres(dataDir, ({ connection }) => query(connection, 'SELECT 1'))
    assert.deepEqual((await readdir(dataDir)).sort(), ['parley.lock', 'postgres', 'postgres.log'], `${afterMs} ms`)
  }
})

test('replaces a server that outlived both Parley and the watcher', async (t) => {
  const dataDir = await dataFolder(t)
  const parley = await startParley(t, dataDir)
  await query(parley.connection, "CREATE TABLE note AS SELECT 'kept' AS text")
  const postmaster = await postmasterOf(dataDir)
  // Frozen first, so that none of them can act on another's end.
  const watchers = (await processesWith(dataDir)).filter((pid) => pid !== postmaster)
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) killAll(watchers, signal)
  await parley.end('SIGKILL')
  assert.ok((await serversOf(dataDir)).includes(postmaster))

  await withPostgres(dataDir, async ({ connection }) => {
    assert.ok(!(await serversOf(dataDir)).includes(postmaster))
    assert.deepEqual(await query(connection, 'SELECT text FROM note'), [{ text: 'kept' }])
  })
})

test('is not misled by a process id that has passed to another process', async (t) => {
  const dataDir = await dataFolder(t)
  const parley = await startParley(t, dataDir)
  const pidFile = join(clusterOf(dataDir), 'postmaster.pid')
  const lines = (await readFile(pidFile, 'utf8')).split('\n')
  await parley.end('SIGKILL')
  await until(async () => (await serversOf(dataDir)).length === 0)
  await writeFile(pidFile, [process.pid, ...lines.slice(1)].join('\n'))
  await withPostgres(dataDir, ({ connection }) => query(connection, 'SELECT 1'))
})

test('outlives an interrupt to the whole group, as from a terminal, until Parley stops it', async (t) => {
  const parley = await startParley(t, await dataFolder(t), { detached: true })
  assert.ok(parley.process.pid !== undefined)
  process.kill(-parley.process.pid, 'SIGINT')
  assert.deepEqual(await query(parley.connection, 'SELECT 1 AS one'), [{ one: 1 }])
  assert.match(await parley.end('SIGTERM'), /interrupted\nstopped$/)
})

test('works in a folder with a space, a comma, quotes and an umlaut', async (t) => {
  const dataDir = await dataFolder(t, `Frau Müller's "data", new`)
  const { connection, end } = await startParley(t, dataDir)
  assert.equal(dirname(connection.host), dataDir)
  await query(connection, 'SELECT 1')
  await end('SIGTERM')
})

test('uses another folder for its socket where the path is too long, and removes it', async (t) => {
  const dataDir = await dataFolder(t, 'ü'.repeat(60))
  const killed = await startParley(t, dataDir)
  assert.equal((await stat(killed.connection.host)).mode & 0o777, 0o700)
  assert.ok(!killed.connection.host.startsWith(dataDir))
  await killed.end('SIGKILL')
  const next = await startParley(t, dataDir)
  await assert.rejects(stat(killed.connection.host))
  await query(next.connection, 'SELECT 1')
  await next.end('SIGTERM')
  await assert.rejects(stat(next.connection.host))
})

test("keeps the operator's clock, but neither settings for other servers nor secrets", async (t) => {
  const dataDir = await dataFolder(t)
  const disturbing = {
    PGDATA: '/nowhere',
    PGPORT: '1',
    PGOPTIONS: '-c default_transaction_read_only=on',
    PGSSLMODE: 'require',
  }
  const env = {
    ...process.env,
    ...disturbing,
    LC_ALL: 'tr_TR.UTF-8',
    TZ: 'Asia/Tokyo',
    SECRET_KEY: '00',
    FAKETIME: '+1d',
  }
  const parley = await startParley(t, dataDir, { env })
  await query(parley.connection, 'CREATE TABLE note ()')
  const environment = (await readFile(`/proc/${await postmasterOf(dataDir)}/environ`, 'utf8')).split('\0')
  assert.ok(environment.includes('FAKETIME=+1d'))
  const refused = environment.filter((entry) => /^(PG(?!SYSCONFDIR|LOCALEDIR)|LC_ALL=tr|TZ|SECRET)/.test(entry))
  assert.deepEqual(refused, [])
  await parley.end('SIGTERM')
})

test('refuses the database of another major version, naming both', async (t) => {
  const dataDir = await temporaryFolder(t)
  await mkdir(clusterOf(dataDir))
  await writeFile(join(clusterOf(dataDir), 'PG_VERSION'), '17\n')
  assert.match(String(await tryParley(t, dataDir)), /made by PostgreSQL 17, and this Parley comes with PostgreSQL 18/)
})

test('refuses a folder that is no database, and leaves it as it is', async (t) => {
  const dataDir = await temporaryFolder(t)
  await mkdir(clusterOf(dataDir))
  await writeFile(join(clusterOf(dataDir), 'precious'), '')
  assert.match(String(await tryParley(t, dataDir)), /is not a database that PostgreSQL can start/)
  assert.deepEqual(await readdir(clusterOf(dataDir)), ['precious'])
})

test("reports PostgreSQL's own message when it does not start", async (t) => {
  const dataDir = await dataFolder(t)
  await withPostgres(dataDir, async () => {})
  await truncate(join(clusterOf(dataDir), 'global/pg_control'), 100)
  const sentence = String(await tryParley(t, dataDir))
  assert.match(sentence, /^PostgreSQL did not start \(.+\)\. The end of .*postgres\.log:\n.*pg_control/s)
})

test('keeps its log bounded', async (t) => {
  const dataDir = await dataFolder(t)
  await writeFile(join(dataDir, 'postgres.log'), 'x'.repeat(5_000_001))
  await withPostgres(dataDir, async () => {})
  assert.equal((await stat(join(dataDir, 'postgres.log.1'))).size, 5_000_001)
  assert.ok((await stat(join(dataDir, 'postgres.log'))).size < 50_000)
})

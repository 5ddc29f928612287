import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '../../../test/postgres/test-database.ts'
import { createPool } from '../../platform/database/database.ts'
import { createEncryption } from '../../platform/encryption.ts'
import { createLog } from '../../platform/log.ts'
import { createEmbeddedMedia } from './embedded-media.ts'
import { createSharedEngine } from './shared-engine.ts'

const program = fileURLToPath(new URL('../../../test/rooms/stub-media-engine.ts', import.meta.url))
const encryption = createEncryption(Buffer.alloc(32, 7))
const config = { baseUrl: 'https://parley.test', mediaUdpPort: 30_000 }
const log = createLog({ level: 'silent' })

/** Instances on one database; `machine` names the machine of each. */
async function startInstances(t: TestContext, ...machines: readonly string[]) {
  const { connection, drop } = await createTestDatabase()
  const instances = machines.map((machine) => {
    const pool = createPool({ connection, maxConnections: 4, statementTimeoutMs: 10_000, log })
    const engine = createSharedEngine({
      pool,
      log,
      machine: async () => machine,
      createEngine: (onAddress) =>
        createEmbeddedMedia({
          config,
          encryption,
          log,
          program,
          onAddress,
          onEvent() {},
          onDeath() {},
        }),
    })
    return { pool, engine }
  })
  t.after(async () => {
    for (const { engine, pool } of instances) {
      await engine.stop()
      await pool.end()
    }
    await drop()
  })
  return instances as [Instance, Instance]
}
type Instance = { pool: ReturnType<typeof createPool>; engine: ReturnType<typeof createSharedEngine> }

const lock = `locktype = 'advisory' and classid = 727541
  and database = (select oid from pg_database where datname = current_database())`
const isLocked = async ({ pool }: Instance) => (await pool.query(`select from pg_locks where ${lock}`)).rowCount === 1

const pidOf = async ({ engine }: Instance) => (await (await fetch(await engine.apiAddress())).json()).pid

test('shares one engine between two instances of a machine, and the other takes over when its instance ends', async (t) => {
  const [one, other] = await startInstances(t, 'here', 'here')
  assert.deepEqual([await one.engine.status(), await other.engine.status()], ['none', 'none'])
  const address = one.engine.apiAddress()
  // The engine of the first one is starting, and the other one waits for its address.
  while (!(await isLocked(other))) await sleep(10)
  assert.equal(await other.engine.apiAddress(), await address)
  const pid = await pidOf(one)
  assert.equal(await pidOf(other), pid)
  assert.deepEqual([await one.engine.status(), await other.engine.status()], ['reachable', 'reachable'])
  await one.engine.stop()
  for (let found = pid; found === pid; ) {
    found = await pidOf(other).catch(() => pid)
    await sleep(50)
  }
  assert.equal(await other.engine.status(), 'reachable')
})

test('an instance on another machine refuses calls with an explanation, and leaves the rooms alone', async (t) => {
  const [one, other] = await startInstances(t, 'here', 'there')
  const pid = await pidOf(one)
  while ((await other.engine.status()) === 'none') await sleep(50)
  assert.equal(await other.engine.status(), 'out of reach')
  await assert.rejects(other.engine.apiAddress(), { code: 'media_unavailable', detail: /LIVEKIT_URL/ })
  assert.equal(await pidOf(one), pid)
})

test('keeps an engine through the loss of its database connection, as the only engine', async (t) => {
  const [one, other] = await startInstances(t, 'here', 'here')
  const pid = await pidOf(one)
  await other.engine.apiAddress()
  const cut = `select pg_terminate_backend(pid) from pg_locks where ${lock}`
  assert.equal((await other.pool.query(cut)).rowCount, 1)
  // Longer than the other engine's record is cached.
  await sleep(1_500)
  assert.equal(await pidOf(other), pid)
  assert.equal(await pidOf(one), pid)
  assert.equal(await other.engine.status(), 'reachable')
})

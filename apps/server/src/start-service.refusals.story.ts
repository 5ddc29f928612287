import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { expectAnswer } from '../test/one-connection.ts'
import { createEmptyDatabase } from '../test/postgres/empty-database.ts'
import { dataFolderOf, type ExitResult, runService, runUntilExit } from '../test/processes/run-service.ts'
import { bindUdpPort } from './platform/udp-port.ts'

const secretKey = '07'.repeat(32)

/** A refusal is for a person: a sentence, without a stack or secrets. */
function assertRefused({ code, signal, output }: ExitResult, sentence: RegExp) {
  assert.deepEqual({ code, signal }, { code: 1, signal: null }, output)
  assert.match(output, /^Parley cannot start:/m)
  assert.match(output, sentence)
  assert.doesNotMatch(output, /^\s+at /m)
  assert.doesNotMatch(output, /hunter2/)
}

/** Listen at a free port without replying, unless told otherwise. */
async function listener(t: TestContext): Promise<number> {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

suite('Parley refuses to start', { concurrency: 3 }, () => {
  test('a second Parley on one data folder is refused, and the first continues to serve', async (t) => {
    const environment = { DATA_DIR: await dataFolderOf(t) }
    const first = await runService(t, { environment })
    assertRefused(
      await runUntilExit(t, { environment }),
      new RegExp(`in use by another Parley \\(process ${first.pid} on`),
    )
    await expectAnswer(first.base, 200, 'GET', '/readyz')
  })

  test('refuses a UDP port that another program uses, and needs none with LiveKit', async (t) => {
    await using other = await bindUdpPort(0)
    const environment = { DATA_DIR: await dataFolderOf(t), MEDIA_UDP_PORT: String(other.address().port) }
    const sentence = /Another program uses UDP port \d+ already\. Stop it, or give this one its own MEDIA_UDP_PORT\./
    assertRefused(await runUntilExit(t, { environment }), sentence)
    const livekit = { LIVEKIT_URL: 'ws://127.0.0.1:9', LIVEKIT_API_KEY: 'parley', LIVEKIT_API_SECRET: 'hush' }
    const service = await runService(t, { environment: { ...environment, ...livekit } })
    await expectAnswer(service.base, 200, 'GET', '/readyz')
  })

  test('reports every invalid variable at once, and creates nothing', async (t) => {
    const dataDir = await dataFolderOf(t)
    const before = await readdir(dataDir)
    const wrong = {
      PORT: '70000',
      BASE_URL: 'meet.example.org',
      SIGN_UP: 'maybe',
      SECRET_KEY: 'hunter2',
      LOG_LEVEL: 'loud',
    }
    const ending = await runUntilExit(t, { environment: { DATA_DIR: dataDir, ...wrong } })
    for (const name of Object.keys(wrong)) assertRefused(ending, new RegExp(`^- .*${name}`, 'm'))
    assert.deepEqual(await readdir(dataDir), before)
  })

  test('refuses DATABASE_URL without SECRET_KEY', async (t) => {
    const environment = { DATABASE_URL: 'postgres://parley:hunter2@localhost/parley' }
    assertRefused(await runUntilExit(t, { environment }), /SECRET_KEY must be given when DATABASE_URL is/)
  })

  test('reports a port in use, and releases the data folder', async (t) => {
    const dataDir = await dataFolderOf(t)
    const port = await listener(t)
    const ending = await runUntilExit(t, { environment: { DATA_DIR: dataDir, PORT: String(port) } })
    assertRefused(ending, new RegExp(`Another program listens on port ${port} already`))
    await runService(t, { environment: { DATA_DIR: dataDir } })
  })

  test('reports an address of another machine', async (t) => {
    const environment = { DATABASE_URL: await createEmptyDatabase(t), SECRET_KEY: secretKey, HOST: '192.0.2.1' }
    assertRefused(await runUntilExit(t, { environment }), /does not have the address 192\.0\.2\.1/)
  })

  test('reports within seconds an unreachable, silent or missing database in DATABASE_URL', async (t) => {
    const free = await listener(t)
    const missing = new URL(await createEmptyDatabase(t))
    missing.pathname = '/no_such_database'
    const cases: [string, RegExp][] = [
      ['postgres://parley:hunter2@localhost:1/parley', /cannot be used \(connect ECONNREFUSED/],
      [`postgres://parley:hunter2@127.0.0.1:${free}/parley`, /cannot be used \(.*timeout/],
      ['postgres://parley:hunter2@parley.invalid/parley', /cannot be used \(getaddrinfo .*parley\.invalid/],
      [missing.href, /cannot be used \(database "no_such_database" does not exist\)/],
    ]
    const startedAt = performance.now()
    const endings = await Promise.all(
      cases.map(([url]) => runUntilExit(t, { environment: { DATABASE_URL: url, SECRET_KEY: secretKey } })),
    )
    for (const [index, [, sentence]] of cases.entries()) {
      const ending = endings[index]
      assert.ok(ending !== undefined)
      assertRefused(ending, sentence)
    }
    t.diagnostic(`all told after ${Math.round(performance.now() - startedAt)} ms`)
  })

  test('reports an invalid DATA_DIR', async (t) => {
    const file = join(await dataFolderOf(t), 'file')
    await writeFile(file, '')
    for (const dataDir of [file, join(file, 'data')]) {
      assertRefused(await runUntilExit(t, { environment: { DATA_DIR: dataDir } }), /The data folder .* cannot be used/)
    }
  })
})

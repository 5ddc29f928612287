import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

test('a monitor without an account reads that the process responds, also while the service shuts down', async () => {
  const app = await startApp()
  const read = async () => {
    const { status, body } = await sendRequest(app, 'GET', '/healthz')
    return [status, body]
  }
  assert.deepEqual(await read(), [200, { status: 'alive' }])
  app.drain()
  assert.deepEqual(await read(), [200, { status: 'alive' }])
})

test('a proxy sends requests until the service shuts down', async () => {
  const app = await startApp()
  const read = () => sendRequest(app, 'GET', '/readyz')
  assert.deepEqual(await expectOk(read()), { status: 'ready' })
  app.drain()
  const draining = await read()
  const { detail } = await expectProblem(draining, 'unavailable')
  assert.equal(detail, 'The service is shutting down.')
  assert.deepEqual([draining.headers.get('retry-after'), draining.headers.get('connection')], ['1', 'close'])
})

const readDatabase = async (app: Awaited<ReturnType<typeof startApp>>) => {
  const { status, body, headers } = await sendRequest(app, 'GET', '/healthz/database')
  return [status, status === 200 ? body.status : body.detail, headers.get('retry-after')]
}

test('a monitor without an account reads that the database responds and accepts writes', async () => {
  assert.deepEqual(await readDatabase(await startApp()), [200, 'ok', null])
})

test('reports a database that accepts no writes', async () => {
  const app = await startApp()
  const { database = '' } = app.shared.testDatabase.connection
  await app.pool.query(`alter database "${database}" set default_transaction_read_only = on`)
  // Only new connections read the setting.
  const readOnly = await startApp({ beside: app })
  assert.deepEqual(await readDatabase(readOnly), [
    503,
    'The database takes no writes: it is read-only or a standby.',
    '2',
  ])
  await app.pool.query('set default_transaction_read_only = off')
  await app.pool.query(`alter database "${database}" set default_transaction_read_only = off`)
})

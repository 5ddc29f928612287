import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '../test/postgres/test-database.ts'
import { dataFolderOf, runService } from '../test/processes/run-service.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const limit = 128

test('logs when a service runs out of file descriptors, and when it has some again', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const service = await runService(t, {
    environment: { DATABASE_URL: database.url, SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t) },
    command: ['/bin/sh', '-c', `ulimit -n ${limit}; exec "$0" "$1"`, process.execPath, main],
  })
  assert.match(service.output(), new RegExp(`This process may open ${limit} files and connections`))
  const port = Number(new URL(service.base).port)
  const sockets: Socket[] = []
  for (let count = 0; count < 2 * limit; count++) sockets.push(connect(port, '127.0.0.1').on('error', () => {}))
  await service.waitForOutput(/no file descriptor is left \(ulimit -n\)/)
  for (const socket of sockets) socket.destroy()
  await service.waitForOutput(/there are file descriptors again/)
  assert.equal((await fetch(`${service.base}/healthz`)).status, 200)
})

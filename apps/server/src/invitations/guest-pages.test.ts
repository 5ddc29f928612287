import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../platform/clock.ts'
import { createDatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import { createHttp } from '../platform/http/http.ts'
import { problem } from '../platform/http/problem.ts'
import { createLog } from '../platform/log.ts'
import { secureRandom } from '../platform/random.ts'
import { serveGuestPages } from './guest-pages.ts'

const lines: string[] = []
const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
const http = createHttp({
  baseUrl: 'http://parley.test',
  trustProxy: [],
  clock: systemClock,
  random: secureRandom,
  log,
})
const errors: Record<string, Error> = {
  '/busy': problem('unavailable', { retryAfterSeconds: 3 }),
  '/malformed': problem('malformed_request'),
  '/ours': new Error('a mistake'),
}
serveGuestPages({ http, databaseFailures: createDatabaseFailureLog(log) }, (pages) => {
  for (const [path, error] of Object.entries(errors)) {
    pages.get(path, async () => {
      throw error
    })
  }
})

async function get(path: string) {
  lines.length = 0
  const { statusCode, headers, body } = await http.inject(path)
  assert.match(body, /<html/)
  const failed = lines.filter((line) => line.includes('request failed'))
  return [statusCode, headers['retry-after'], failed.length]
}

test('an overload and a malformed request have their own status, and only internal errors are logged as errors', async () => {
  assert.deepEqual(await get('/busy'), [503, '3', 0])
  assert.deepEqual(await get('/malformed'), [404, undefined, 0])
  assert.deepEqual(await get('/ours'), [500, undefined, 1])
})

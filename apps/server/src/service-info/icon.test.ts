import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import Fastify from 'fastify'
import { serveIcon } from './service-info.ts'

test('serves the icon of the pages to a browser that requests it by default', async () => {
  const http = Fastify()
  serveIcon(http)
  const built = readFileSync(new URL('../../../web/src/app/icon.svg', import.meta.url), 'utf8')
  for (const path of ['/favicon.ico', '/icon.svg']) {
    const { statusCode, headers, body } = await http.inject(path)
    assert.deepEqual([statusCode, headers['content-type'], body], [200, 'image/svg+xml', built])
  }
  await http.close()
})

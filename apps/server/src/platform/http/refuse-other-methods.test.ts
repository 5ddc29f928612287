import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { secureRandom } from '../random.ts'
import { createHttp } from './http.ts'
import { createRefuseOtherMethods } from './refuse-other-methods.ts'

test('answers 405 to other methods of every path, also of plugins that register theirs later', async () => {
  const log = createLog({ level: 'silent' })
  const options = { baseUrl: 'http://localhost:3000', trustProxy: [], clock: systemClock, random: secureRandom, log }
  const http = createHttp(options)
  const refuseOtherMethods = createRefuseOtherMethods(http)
  http.register(async (pages) => {
    pages.get('/page', async () => 'page')
    pages.post('/page', async () => 'posted')
  })
  http.delete('/item/:id', async () => 'deleted')
  http.put('/item/:id', async () => 'replaced')
  http.head('/alive', async (_request, reply) => reply.status(204).send())
  refuseOtherMethods()

  const answerOf = async (method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'OPTIONS', url: string) => {
    const { statusCode, headers } = await http.inject({ method, url })
    return [statusCode, headers.allow]
  }
  for (const method of ['GET', 'HEAD', 'POST'] as const)
    assert.deepEqual(await answerOf(method, '/page'), [200, undefined])
  for (const method of ['PUT', 'OPTIONS'] as const) {
    assert.deepEqual(await answerOf(method, '/page'), [405, 'GET, POST, HEAD'])
  }
  for (const method of ['GET', 'HEAD', 'POST'] as const) {
    assert.deepEqual(await answerOf(method, '/item/1'), [405, 'PUT, DELETE'])
  }
  assert.deepEqual(await answerOf('PUT', '/item/1'), [200, undefined])
  assert.deepEqual(await answerOf('HEAD', '/alive'), [204, undefined])
  assert.deepEqual(await answerOf('GET', '/alive'), [405, 'HEAD'])
  assert.deepEqual(await answerOf('PUT', '/elsewhere'), [404, undefined])
  await http.close()
})

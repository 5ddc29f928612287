import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxPathParameterLength } from '@parley/contract'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { secureRandom } from '../random.ts'
import { createHttp } from './http.ts'
import { createRefuseOtherMethods, routeOf } from './other-methods.ts'

const log = createLog({ level: 'silent' })
const options = { baseUrl: 'http://localhost:3000', trustProxy: [], clock: systemClock, random: secureRandom, log }

test('answers 405 to other methods of every path, also of plugins that register theirs later', async () => {
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

test('refuses a method of an address that a wider address takes as well', async () => {
  const http = createHttp(options)
  const refuseOtherMethods = createRefuseOtherMethods(http)
  const routes: (string | undefined)[] = []
  http.addHook('onResponse', (request, _reply, next) => {
    routes.push(routeOf(request))
    next()
  })
  http.put('/keys/:keyId', async () => 'replaced')
  http.delete('/keys/:keyId', async () => 'deleted')
  http.post('/keys/options', async () => 'options')
  http.get('/feeds/:secret.ics', async () => 'feed')
  http.post('/feeds/:name', async () => 'named')
  http.get('/files/*', async () => 'file')
  http.post('/files/new', async () => 'new')
  refuseOtherMethods()

  const answerOf = async (method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE', url: string) => {
    const { statusCode, headers } = await http.inject({ method, url })
    return [statusCode, headers.allow, routes.pop()]
  }
  assert.deepEqual(await answerOf('POST', '/keys/options'), [200, undefined, '/keys/options'])
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'] as const) {
    assert.deepEqual(await answerOf(method, '/keys/options'), [405, 'POST', '/keys/options'])
    assert.deepEqual(await answerOf(method, '/keys/%6Fptions?a=/b#c'), [405, 'POST', '/keys/options'])
  }
  assert.deepEqual(await answerOf('PUT', '/keys/1'), [200, undefined, '/keys/:keyId'])
  assert.deepEqual(await answerOf('POST', '/keys/a%2Fb'), [405, 'PUT, DELETE', '/keys/:keyId'])
  assert.deepEqual(await answerOf('POST', '/feeds/1.ics'), [405, 'GET, HEAD', '/feeds/:secret.ics'])
  assert.deepEqual(await answerOf('PUT', '/feeds/1.ics'), [405, 'GET, HEAD', '/feeds/:secret.ics'])
  assert.deepEqual(await answerOf('POST', '/feeds/1'), [200, undefined, '/feeds/:name'])
  assert.deepEqual(await answerOf('PUT', '/files/a/b'), [405, 'GET, HEAD', '/files/*'])
  assert.deepEqual(await answerOf('GET', '/files/new'), [405, 'POST', '/files/new'])
  assert.deepEqual(await answerOf('PUT', '/files/new'), [405, 'POST', '/files/new'])
  const longest = 'k'.repeat(maxPathParameterLength)
  assert.deepEqual(await answerOf('GET', `/keys/${longest}`), [405, 'PUT, DELETE', '/keys/:keyId'])
  assert.deepEqual(await answerOf('GET', `/keys/${longest}k`), [404, undefined, undefined])
  for (const url of ['/keys', '/keys/1/', '//keys/1', '/Keys/1', '/feeds/1.ics/x']) {
    assert.deepEqual(await answerOf('PUT', url), [404, undefined, undefined], url)
  }
  await http.close()
})

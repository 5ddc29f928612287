import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify, { type FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { toolCall } from '../../test/mcp/assistant.ts'
import { configOf } from '../../test/read-config.ts'
import { createClock } from '../../test/start-app.ts'
import type { AuthenticatedCaller } from '../access/caller.ts'
import { createRequestLimits, requesterLimits } from '../access/request-limits.ts'
import { createDatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import { createEncryption } from '../platform/encryption.ts'
import { refuseOverload } from '../platform/http/overload.ts'
import { ProblemError } from '../platform/http/problem.ts'
import { createLog } from '../platform/log.ts'
import { registerMcp } from './serve-mcp.ts'
import { defineTool, toolInput } from './tool.ts'

test('of one person so many requests are answered at a time, so many wait, and more are refused, whatever the assistant', async () => {
  const [gate, full] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { inProgress, waiting } = requesterLimits.account.large
  let entered = 0
  const slow = defineTool({
    name: 'slow',
    title: 'Slow',
    description: 'Runs until the test lets it end.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: toolInput({}),
    output: Type.Object({}),
    uses: () => [],
    run: async () => {
      // Those of Alice, and one of Bob; one more would be a fault, and waits for nothing.
      if (++entered === inProgress + 1) full.resolve()
      if (entered > inProgress + 1) return { kind: 'done', sentence: 'Done.', result: {} }
      await gate.promise
      return { kind: 'done', sentence: 'Done.', result: {} }
    },
  })
  const http = Fastify()
  after(() => http.close())
  http.setErrorHandler((error, _request, reply) =>
    reply.status(error instanceof ProblemError && error.code === 'too_many_requests' ? 429 : 500).send(),
  )
  const log = createLog({ level: 'silent' })
  refuseOverload(http, log)
  const service = {
    http,
    runInTurn: createRequestLimits({ http, rateLimits: true }),
    clock: createClock('2030-01-01T00:00:00Z'),
    config: configOf({}),
    encryption: createEncryption(Buffer.alloc(32, 1)),
    databaseFailures: createDatabaseFailureLog(log),
    authenticate: async ({ headers }: FastifyRequest) => callerOf(String(headers.authorization)),
    call: () => assert.fail('no endpoint is called'),
    recordAppRefusal: () => assert.fail('nothing is refused'),
    version: '1',
  }
  registerMcp(service, [slow])
  const headers = { accept: 'application/json, text/event-stream' }
  const send = async (authorization: string) =>
    http.inject({ method: 'POST', url: '/mcp', headers: { ...headers, authorization }, payload: toolCall('slow') })

  const running = [...Array.from({ length: inProgress + waiting }, () => send('alice')), send('bob')]
  await full.promise
  assert.equal(entered, inProgress + 1)
  assert.equal((await send('alice')).statusCode, 429)
  gate.resolve()
  for (const { statusCode, body } of await Promise.all(running)) {
    assert.equal(statusCode, 200)
    assert.match(body, /Done/)
  }
  assert.equal((await send('alice')).statusCode, 200)
})

const callerOf = (accountId: string): AuthenticatedCaller => ({
  accountId,
  tenantId: 'tenant',
  addressKey: `${accountId}@example.org`,
  addressTrusted: true,
  administrator: false,
  reviewer: false,
  timeZone: 'UTC',
  credential: { kind: 'oauth', grantId: 'grant', appId: 'app', sandbox: false, scopes: [] },
  expiresAt: null,
  accountIds: [accountId],
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { SentCredentials } from '@parley/rules/oauth/client-authentication'
import type { QueryConfig } from 'pg'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { causesOf } from '../../../test/oauth/token-client.ts'
import { signUp } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'
import { createDatabase, createPool } from '../../platform/database/database.ts'
import { createLog } from '../../platform/log.ts'
import { secureRandom } from '../../platform/random.ts'
import type { Tables } from '../../tables/tables.ts'
import { createClientAuthentication } from './client-authentication.ts'
import { createRefusalLog } from './refusal-log.ts'
import { TokenRefusal } from './token-errors.ts'

const service = await startApp()
const planner = await approvedApp(service, await signUp(service, 'Olga'))
const newcomer = await approvedApp(service, await signUp(service, 'Bob'), { name: 'Has no secret yet' })
await service.database.deleteFrom('appSecret').where('appId', '=', newcomer.appId).execute()

const log = createLog({ level: 'silent' })
const { host, port, user, database: name } = service.pool.options
const connection = {
  ...(host && { host }),
  ...(port && { port }),
  ...(user && { user }),
  ...(name && { database: name }),
}
const pool = createPool({ connection, maxConnections: 1, statementTimeoutMs: 5_000, log })
after(() => pool.end())

/** What goes to the database and comes back: each statement, and how many rows of which columns it answers. */
const seen: string[] = []
pool.on('connect', (client) => {
  const query = client.query.bind(client)
  const listened = async (asked: QueryConfig) => {
    const answer = await query(asked)
    const told = answer.command === 'SELECT' ? `${answer.rowCount} of ${answer.fields.map((field) => field.name)}` : ''
    seen.push(`${asked.text} ${told}`)
    return answer
  }
  Object.assign(client, { query: listened })
})

const database = createDatabase<Tables>(pool)
const refusalLog = createRefusalLog({ database, random: secureRandom, log })
const counted: string[] = []
const authenticate = createClientAuthentication({
  database,
  lastUse: { note() {}, flush: async () => {} },
  baseUrl: 'http://parley.test',
  limits: {
    countFailure: async (_clientId, network) => void counted.push(`failure ${network}`),
    countSuccess: async () => void counted.push('success'),
  },
})

/** All that happens for a refusal, from the credentials to the line that its developer reads. */
async function stepsOf(clientId: string, clientSecret: string) {
  seen.length = 0
  counted.length = 0
  const sent: SentCredentials = { authorization: undefined, clientId, clientSecret }
  const now = new Date('2030-01-01T00:00:00Z')
  const refusal = await authenticate(sent, '192.0.2.1', now).then(
    () => assert.fail('was let in'),
    (error: unknown) => error,
  )
  assert.ok(refusal instanceof TokenRefusal && refusal.event)
  refusalLog.logLater({ ...refusal.event, kind: 'client_refused', cause: refusal.message, requestId: 'r', now })
  await refusalLog.flush()
  return { seen: [...seen], counted: [...counted], told: [refusal.code, refusal.message] }
}

test('an unknown client takes the same steps as a wrong secret, to the last statement, row and column', async () => {
  const wrong = await stepsOf(planner.clientId, 'wrong')
  assert.equal(wrong.seen.length, 3)
  assert.deepEqual(wrong.counted, ['failure 192.0.2.1'])
  for (const id of ['nobody_at_all', 'test_nobody', 'no id at all', newcomer.clientId, planner.sandboxClientId]) {
    assert.deepEqual(await stepsOf(id, 'wrong'), wrong, id)
  }
})

test('of an unknown client no line is left, of a wrong secret its developer reads one', async () => {
  const before = await causesOf(service, planner)
  await stepsOf('nobody_at_all', 'wrong')
  await stepsOf(planner.clientId, 'wrong')
  const all = await service.database.selectFrom('appEvent').select('id').where('requestId', '=', 'r').execute()
  assert.deepEqual((await causesOf(service, planner)).slice(before.length), [
    'client_refused: The client secret is wrong.',
  ])
  const ofApps = [...(await causesOf(service, planner)), ...(await causesOf(service, newcomer))]
  assert.equal(all.length, ofApps.length)
})

test('no secret opens what is nobody’s', async () => {
  for (const clientId of ['nobody_at_all', newcomer.clientId]) {
    for (const secret of [' ', '0'.repeat(64), '\0'.repeat(32)]) {
      assert.deepEqual((await stepsOf(clientId, secret)).told, ['invalid_client', 'The client secret is wrong.'])
    }
  }
})

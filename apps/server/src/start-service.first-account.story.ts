import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectAnswer } from '../test/one-connection.ts'
import { password } from '../test/people.ts'
import { createEmptyDatabase } from '../test/postgres/empty-database.ts'
import { runParley } from '../test/processes/run-parley.ts'
import { dataFolderOf, runService } from '../test/processes/run-service.ts'

const signUp = (base: string, status: number, name: string, more: object = {}) =>
  expectAnswer(base, status, 'POST', '/api/auth/sign-up', {
    body: { email: `${name}@example.org`, password, name, ...more },
  })

test('every instance of a new service prints the same code once, and none when an account exists', async (t) => {
  const environment = {
    DATABASE_URL: await createEmptyDatabase(t),
    SECRET_KEY: '07'.repeat(32),
    BASE_URL: 'https://meet.example.org',
  }
  const both = await Promise.all([runService(t, { environment }), runService(t, { environment })])
  const codes = both.flatMap((service) => service.setUpCodes())
  assert.equal(codes.length, 2)
  assert.equal(codes[0], codes[1])
  for (const service of both) {
    assert.match(service.output(), /^Parley serves at https:\/\/meet\.example\.org$/m)
    assert.match(service.output(), /^- listens: {3}http:\/\/localhost:\d+$/m)
    assert.match(service.output(), /^- reference: https:\/\/meet\.example\.org\/reference$/m)
    assert.match(service.output(), /^- next: {6}open https:\/\/meet\.example\.org and make the first account;/m)
    const refused = await signUp(service.base, 403, 'mallory')
    assert.equal(refused.body.code, 'set_up_code_required')
  }
  const [one, other] = both
  const made = await signUp(String(other?.base), 201, 'olga', { setUpCode: codes[0] })
  assert.deepEqual(made.body.user.roleIds, ['administrator', 'reviewer'])
  assert.deepEqual((await signUp(String(one?.base), 201, 'alice')).body.user.roleIds, [])

  const later = await runService(t, { environment: { ...environment, LOG_FORMAT: 'ecs', LOG_LEVEL: 'error' } })
  const [announced, ...others] = later.output().trim().split('\n')
  assert.deepEqual(others, [])
  assert.match(
    JSON.parse(String(announced)).message,
    /^Parley serves at https:\/\/meet\.example\.org\n- listens: {3}http:/,
  )
  assert.deepEqual(later.setUpCodes(), [])
  assert.doesNotMatch(later.output(), /first account/)
})

test('the operator creates the first administrator without the code', async (t) => {
  const environment = { DATA_DIR: await dataFolderOf(t), BASE_URL: 'https://meet.example.org' }
  const service = await runService(t, { environment })
  assert.equal(service.setUpCodes().length, 1)
  assert.equal((await runParley(t, environment, 'admin', 'create', 'olga@example.org')).code, 0)
  assert.deepEqual((await signUp(service.base, 201, 'alice')).body.user.roleIds, [])
})

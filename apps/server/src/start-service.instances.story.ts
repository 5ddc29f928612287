import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connectTo, expectAnswer, type Outcome } from '../test/one-connection.ts'
import { detailsPath, password, standUp } from '../test/people.ts'
import { createEmptyDatabase } from '../test/postgres/empty-database.ts'
import { killAll } from '../test/processes/process-tree.ts'
import { runService } from '../test/processes/run-service.ts'
import { signUp } from '../test/processes/service-people.ts'

const secretKey = '07'.repeat(32)

/** Two instances that start at once on an empty database. */
async function runTwo(t: TestContext) {
  const environment = { DATABASE_URL: await createEmptyDatabase(t), SECRET_KEY: secretKey, LOG_LEVEL: 'info' }
  const [one, other] = await Promise.all([runService(t, { environment }), runService(t, { environment })])
  return { one, other }
}

const statuses = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome.status : outcome.kind)).toSorted()

const countOf = (output: string, words: string) => output.split(words).length - 1

test('two instances on one database are one service', async (t) => {
  const { one, other } = await runTwo(t)

  await t.test('one has migrated while the other waited', () => {
    const both = one.output() + other.output()
    assert.equal(countOf(both, '"migration":"0001-initial.sql"'), 1)
    const whoMigrated = [one, other].filter((each) => each.output().includes('migrated the database'))
    assert.equal(whoMigrated.length, 1)
  })

  const alice = await signUp(one.base, 'Alice')
  const { token } = alice

  await t.test('a session of one is a session of the other, until it is ended at either', async () => {
    const me = await expectAnswer(other.base, 200, 'GET', '/api/my_profile', { token })
    assert.equal(me.body._id, alice.userId)
    const credentials = { body: { email: alice.email, password } }
    const second = (await expectAnswer(other.base, 200, 'POST', '/api/auth/sign-in', credentials)).body.token
    await expectAnswer(one.base, 200, 'GET', '/api/my_profile', { token: second })
    await expectAnswer(other.base, 200, 'GET', '/api/my_profile', { token: second })
    await expectAnswer(one.base, 200, 'POST', '/api/auth/sign-out', { token: second })
    await expectAnswer(other.base, 401, 'GET', '/api/my_profile', { token: second })
  })

  await t.test('one Idempotency-Key sent to both many times at once makes one meeting', async () => {
    const before = (await expectAnswer(one.base, 200, 'GET', '/api/meeting/me', { token })).body.totalCount
    const retries = Array.from({ length: 20 }, async (_, index) => {
      const connection = connectTo(index % 2 === 0 ? one.base : other.base)
      for (;;) {
        const ask = { token, body: standUp(), headers: { 'idempotency-key': 'one and the same' } }
        const outcome = await connection.send('POST', '/api/meeting', ask)
        assert.ok(outcome.kind === 'answered', JSON.stringify(outcome))
        // The first request is still in progress; Retry-After says when to retry, and retrying sooner does no harm.
        if (outcome.status === 409) continue
        assert.equal(outcome.status, 200, outcome.body)
        connection.close()
        return JSON.parse(outcome.body).meetingDetails._id
      }
    })
    assert.equal(new Set(await Promise.all(retries)).size, 1)
    const after = (await expectAnswer(other.base, 200, 'GET', '/api/meeting/me', { token })).body.totalCount
    assert.equal(after, before + 1)
  })

  await t.test('of two changes with one ETag, sent to both at once, one wins', async () => {
    const meeting = await alice.schedule()
    const { headers } = await expectAnswer(one.base, 200, 'GET', detailsPath(meeting), { token })
    const connections = [one, other].map(({ base }) => connectTo(base))
    const outcomes = await Promise.all(
      connections.map((connection, index) =>
        connection.send('PUT', detailsPath(meeting), {
          token,
          body: standUp({ topic: `Change ${index}` }),
          headers: { 'if-match': String(headers.etag) },
        }),
      ),
    )
    for (const connection of connections) connection.close()
    assert.deepEqual(statuses(outcomes), [200, 412])
    const winner = outcomes.findIndex((outcome) => outcome.kind === 'answered' && outcome.status === 200)
    const { body } = await expectAnswer(other.base, 200, 'GET', detailsPath(meeting), { token })
    assert.equal(body[0].topic, `Change ${winner}`)
  })

  await t.test('wrong passwords at both are counted together', async () => {
    const tries: Outcome[] = []
    for (let number = 0; number < 12; number++) {
      const connection = connectTo(number % 2 === 0 ? one.base : other.base)
      tries.push(
        await connection.send('POST', '/api/auth/sign-in', { body: { email: 'bob@example.org', password: 'no' } }),
      )
      connection.close()
    }
    assert.deepEqual(statuses(tries), [...Array(10).fill(401), 429, 429])
  })

  await t.test('calls at both go through one engine', async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    const meeting = await alice.schedule(standUp({ startTime: at(5), endTime: at(65), participants: [] }))
    const enter = (base: string) =>
      expectAnswer(base, 200, 'POST', `/api/rooms/${meeting.svcMeetId}/enter`, { token, body: {} })
    const { media } = (await enter(one.base)).body
    assert.deepEqual([typeof media.token, (await enter(other.base)).body.media.url], ['string', media.url])
    assert.equal(countOf(one.output() + other.output(), 'this instance carries the calls'), 1)
  })

  await t.test('when one is killed the other serves on', async () => {
    const meeting = await alice.schedule()
    const connection = connectTo(other.base)
    const outcomes: Outcome[] = []
    const serving = (async () => {
      while (outcomes.length < 100) outcomes.push(await connection.send('GET', detailsPath(meeting), { token }))
    })()
    killAll([one.pid])
    await serving
    connection.close()
    await one.ended
    assert.deepEqual([...new Set(statuses(outcomes))], [200])
    await expectAnswer(other.base, 200, 'PUT', detailsPath(meeting), { token, body: standUp({ topic: 'Alone' }) })
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { backendOf, tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, sendRequest, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const service = await startApp({ emails: 'dropped' })
const { olga, alice } = await meetPeople(service)
const planner = await approvedApp(service, olga)
const backend = backendOf(service, planner)

/** The three kinds of replies: of the API, of the token endpoint, and a page. */
async function askAll(refreshToken: string) {
  const page = `/oauth2/authorize?clientId=${planner.clientId}&response_type=code`
  return Promise.all([
    sendRequest(service, 'POST', '/api/meeting', standUp(), { authorization: `Bearer ${alice.token}` }),
    backend.refresh(refreshToken),
    fetch(`${service.base}${page}`).then(async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      body: await answer.text(),
    })),
  ])
}

type Answers = Awaited<ReturnType<typeof askAll>>

async function expectUnavailable([api, token, page]: Answers, retryAfter: RegExp) {
  await expectProblem(api, 'unavailable')
  assert.deepEqual([token.status, token.body.error], [503, 'temporarily_unavailable'])
  assert.deepEqual([page.status, /<html/.test(page.body)], [503, true])
  for (const { headers } of [api, token, page]) assert.match(String(headers.get('retry-after')), retryAfter)
}

const statusOf = async (path: string) => (await fetch(`${service.base}${path}`)).status

/** The internal errors that were logged since the last call. */
function takeErrors() {
  const lines = service.logged.splice(0).map((line) => JSON.parse(line))
  return lines.filter(({ level }) => level === 'error')
}

test('locked tables: 503 with Retry-After everywhere, one line in the log, and the same refresh token works afterwards', async () => {
  const { refresh_token: token } = await tokensFor(service, planner, alice)
  const holder = await service.pool.connect()
  await holder.query('begin')
  await holder.query('lock table app, meeting')
  takeErrors()
  const answers = await askAll(token)
  await holder.query('rollback')
  holder.release()
  await expectUnavailable(answers, /^2$/)
  const errors = takeErrors()
  assert.ok(errors.length > 0 && errors.every(({ failure }) => failure === 'timeout'), JSON.stringify(errors))
  await expectOk(backend.refresh(token))
})

test("a full disk: writes are answered with 503 to be retried later, and the database's health says so", async () => {
  await service.pool.query(`
    create function no_space() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
    end $$;
    create trigger no_space before insert on meeting for each row execute function no_space()`)
  assert.equal(await statusOf('/healthz/database'), 200)
  takeErrors()
  const body = standUp()
  for (let write = 0; write < 20; write++) {
    const answer = await sendRequest(service, 'POST', '/api/meeting', body, { authorization: `Bearer ${alice.token}` })
    await expectProblem(answer, 'unavailable')
    assert.equal(answer.headers.get('retry-after'), '10')
  }
  const errors = takeErrors()
  assert.ok(errors.length < 20, `${errors.length} lines for 20 writes`)
  assert.ok(errors.every(({ failure, err }) => failure === 'out-of-resources' && err === undefined))
  assert.deepEqual([await statusOf('/readyz'), await statusOf('/healthz/database')], [200, 503])
  await service.pool.query('drop function no_space cascade')
})

test('a database that refuses connections: 503 everywhere, the instance stays with its proxy, and recovers', async () => {
  const { refresh_token: token } = await tokensFor(service, planner, alice)
  const { connection } = service.shared.testDatabase
  const owner = new pg.Client({ ...connection, database: 'postgres' })
  await owner.connect()
  await owner.query(`alter database ${connection.database} allow_connections false`)
  await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [connection.database])
  // A terminated connection says 2, a refused one 10.
  await expectUnavailable(await askAll(token), /^(2|10)$/)
  assert.deepEqual([await statusOf('/readyz'), await statusOf('/healthz/database')], [200, 503])
  await owner.query(`alter database ${connection.database} allow_connections true`)
  await owner.end()
  await expectOk(backend.refresh(token))
})

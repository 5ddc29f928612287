import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Person, signUp, violationsOf } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

const path = '/api/admin/audit-log'
const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock, environment: { TENANTS: 'acme.example=Acme' } })
const olga = await signUp(app, 'Olga')
const alice = await signUp(app, 'Alice')
const stranger = await signUp(app, 'Stranger', 'stranger@acme.example')

type Entry = { action: string; actor: { _id: string; email: string } | null; subject: { email: string } | null }

const list = async (query = '') => (await olga.send('GET', `${path}${query}`)).body
const download = async (query: string, person: Person = olga) => {
  const headers = { authorization: `Bearer ${person.token}` }
  const response = await fetch(`${app.base}${path}/export?${query}`, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('Olga sees who did what to whom in her organisation, the newest first, and nothing of another', async () => {
  clock.advance(60_000)
  await olga.send('PUT', `/api/admin/accounts/${alice.profile._id}`, { reviewer: true })
  const { entries } = await list()
  assert.deepEqual(
    { ...entries[0], _id: '' },
    {
      _id: '',
      happenedOn: '2030-01-01T00:01:00.000Z',
      action: 'account.updated',
      actor: { _id: olga.profile._id, name: 'Olga Test', email: olga.email },
      subject: { _id: alice.profile._id, name: 'Alice Test', email: alice.email },
      operator: false,
      about: '',
      address: '127.0.0.1',
      detail: { reviewer: { before: false, after: true } },
    },
  )
  const people = entries.flatMap(({ actor, subject }: Entry) => [actor?.email, subject?.email])
  assert.ok(!people.includes(stranger.email))
  assert.equal((await alice.send('GET', path)).body.code, 'administrator_required')
})

test('the log is filtered by action, by people and by time, both sides of it', async () => {
  const actionsIn = async (query: string) => (await list(query)).entries.map(({ action }: Entry) => action)
  assert.deepEqual(await actionsIn('?action=account.updated'), ['account.updated'])
  assert.deepEqual(await actionsIn(`?actor=${alice.profile._id}`), ['session.begun', 'account.created'])
  assert.deepEqual((await actionsIn(`?subject=${alice.profile._id}`))[0], 'account.updated')
  assert.deepEqual(await actionsIn('?fromDate=2030-01-01T00:01:00Z'), ['account.updated'])
  assert.deepEqual(await actionsIn('?fromDate=2030-01-01T00:01:00Z&toDate=2030-01-01T00:01:00Z'), [])
  assert.equal((await actionsIn('?toDate=2030-01-01T00:01:00Z')).length, 4)
  assert.deepEqual(await actionsIn(`?actor=${stranger.profile._id}`), [])
  const faults = violationsOf(await olga.send('GET', `${path}?action=nonsense&actor=me&fromDate=soon&limit=0&after=x`))
  assert.deepEqual(faults, [
    '/action not_allowed',
    '/actor bad_format',
    '/after bad_format',
    '/fromDate bad_format',
    '/limit too_small',
  ])
})

test('the log comes in pages that neither repeat nor leave out', async () => {
  const whole = (await list()).entries
  const found: unknown[] = []
  for (let query = '?limit=2'; query !== ''; ) {
    const { entries, nextCursor } = await list(query)
    found.push(...entries)
    query = nextCursor === null ? '' : `?limit=2&after=${nextCursor}`
  }
  assert.deepEqual(found, whole)
})

test('an export holds what the list shows, as lines of JSON, and is itself written down', async () => {
  const whole = (await list('?limit=200')).entries
  const { status, headers, text } = await download('format=ndjson')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="audit-log-2030-01-01.ndjson"')
  const lines = text.split('\n')
  assert.equal(lines.pop(), '')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    whole,
  )
  const [newest] = (await list()).entries
  assert.equal(newest.action, 'audit-log.exported')
  assert.deepEqual(newest.detail, { format: 'ndjson', count: whole.length })
})

test('in a CSV nothing that somebody chose is computed', async () => {
  const names = ['=HYPERLINK("http://evil.example")', '+1', '-1', '@SUM(A1)', 'Plain "quoted", name']
  for (const [at, name] of names.entries()) await signUp(app, name, `csv${at}@example.org`)
  const { headers, text } = await download('format=csv&action=account.created')
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  const cells = text.split('\r\n').map((line) => line.slice(1, -1).split('","'))
  assert.equal(
    cells[0]?.join(),
    'id,happenedOn,action,actorId,actorName,actorEmail,subjectId,subjectName,subjectEmail,address,detail,operator,about',
  )
  const shown = cells.slice(1, 6).map((line) => line[4] ?? '')
  assert.deepEqual(shown.toReversed().slice(0, 4), [
    `'=HYPERLINK(""http://evil.example"") Test`,
    "'+1 Test",
    "'-1 Test",
    "'@SUM(A1) Test",
  ])
  assert.ok(text.includes('"Plain ""quoted"", name Test"'))
})

test('an export of more than one page is whole; of more than 100,000 it is refused', async () => {
  const { tenantId } = olga.profile
  // Ids before all others: those of the database's clock would stand behind those of the test's.
  const fill = (from: number, to: number) =>
    sql`insert into audit_entry (id, tenant_id, actor_id, subject_id, action, detail, address, created_at)
      select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${tenantId}::uuid, null, null,
        'app.held', '{}', '', '2029-01-01' from generate_series(${from}::int, ${to}::int) as n`.execute(app.database)
  await fill(1, 99_999)
  const query = 'format=ndjson&action=app.held'
  const { text } = await download(query)
  const ids = new Set(text.split('\n').map((line) => line && JSON.parse(line)._id))
  assert.equal(ids.size, 99_999 + 1, 'and the end of the last line')
  await fill(100_000, 100_000)
  assert.equal((await download(query)).status, 200)
  await fill(100_001, 100_001)
  const refused = await download(query)
  assert.equal(refused.status, 409)
  assert.equal(JSON.parse(refused.text).code, 'export_too_large')
  assert.equal((await download('format=xlsx')).status, 400)
  assert.equal((await download('format=csv', alice)).status, 403)
})

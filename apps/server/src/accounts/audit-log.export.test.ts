import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Person, signUp } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const path = '/api/admin/audit-log'
const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock, environment: { TENANTS: 'acme.example=Acme' } })
const olga = await signUp(app, 'Olga')
const alice = await signUp(app, 'Alice')
const list = async (query = '') => (await olga.send('GET', `${path}${query}`)).body

const download = async (query: string, person: Person = olga, { base } = app) => {
  const headers = { authorization: `Bearer ${person.token}` }
  const response = await fetch(`${base}${path}/export?${query}`, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('exports the entries of the list as lines of JSON, and audits the export', async () => {
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

test('a CSV holds no user-chosen text that a spreadsheet would compute', async () => {
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

test('exports more than one page completely, and refuses more than 100,000 entries', async () => {
  const full = await startApp({ clock })
  const administrator = await signUp(full, 'Olga')
  const { tenantId } = administrator.profile
  // Ids before all others, because ids of the database's clock would sort after those of the test's.
  const fill = (from: number, to: number) =>
    sql`insert into audit_entry (id, tenant_id, actor_id, subject_id, action, detail, address, created_at)
      select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${tenantId}::uuid, null, null,
        'app.held', '{}', '', '2029-01-01' from generate_series(${from}::int, ${to}::int) as n`.execute(full.database)
  // In parts, each of which stays within the time limit of a statement on a busy machine.
  for (let from = 1; from < 100_000; from += 20_000) await fill(from, from + 19_999)
  // As autovacuum does in production: without statistics PostgreSQL sorts all entries for each page.
  await sql`analyze audit_entry`.execute(full.database)
  const query = 'format=ndjson&action=app.held'
  const { status, text } = await download(query, administrator, full)
  assert.equal(status, 200)
  const ids = new Set(text.split('\n').map((line) => line && JSON.parse(line)._id))
  assert.equal(ids.size, 100_000 + 1, 'and the end of the last line')
  await fill(100_001, 100_001)
  const refused = await download(query, administrator, full)
  assert.equal(refused.status, 409)
  assert.equal(JSON.parse(refused.text).code, 'export_too_large')
  assert.equal((await download('format=xlsx')).status, 400)
  assert.equal((await download('format=csv', alice)).status, 403)
})

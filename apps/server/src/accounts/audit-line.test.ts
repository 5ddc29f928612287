import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople, password, sendRequest } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { audit, auditLineJob } from '../access/audit.ts'
import { secureRandom } from '../platform/random.ts'
import { auditLine } from './audit-line.ts'

const linesOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line))

test('writes each entry as one line, on whichever instance takes its job, and only after the commit', async () => {
  const environment = { AUDIT_LOG: 'stdout' }
  const app = await startApp({ environment, emails: 'dropped' })
  const other = await startApp({ environment, beside: app })
  const { olga } = await meetPeople(app)
  await sendRequest(other, 'POST', '/api/auth/sign-in', { email: olga.email, password })
  await sendRequest(other, 'POST', '/api/auth/sign-in', { email: olga.email, password: 'not this one' })
  assert.deepEqual([...app.auditLines, ...other.auditLines], [])
  await app.mails()
  await other.mails()
  const { rows: entries } = await app.pool.query('select id, action from audit_entry order by id')
  const written = linesOf([...app.auditLines, ...other.auditLines]).map(({ audit: { id, action } }) => ({ id, action }))
  assert.deepEqual(
    written.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    entries,
  )
  const actions = written.map(({ action }) => action)
  assert.ok(actions.includes('session.begun') && actions.includes('sign-in.refused'), actions.join())

  const [{ tenant_id: tenantId } = {}] = (await app.pool.query('select tenant_id from audit_entry limit 1')).rows
  const entry = {
    tenantId,
    actorId: null,
    subjectId: null,
    action: 'account.invited',
    detail: {},
    address: '',
  } as const
  const undone = app.database.transaction().execute(async (tx) => {
    await audit(tx, secureRandom, new Date(), entry)
    throw new Error('no')
  })
  await assert.rejects(undone)
  const before = app.auditLines.length
  await app.mails()
  assert.equal(app.auditLines.length, before)

  // A process ended between the line and the end of its job: the next one writes the same line.
  const again = await app.pool.query('select id from audit_entry limit 1')
  await app.taskList[auditLineJob.name]?.(again.rows[0], { job: { id: 1 } })
  const repeated = app.auditLines.at(-1) ?? ''
  assert.equal([...app.auditLines, ...other.auditLines].filter((line) => line === repeated).length, 2)
})

test('without AUDIT_LOG=stdout entries are rows, and no job is queued for them', async () => {
  const app = await startApp({ emails: 'dropped' })
  await meetPeople(app)
  const queued = 'select from graphile_worker.jobs where task_identifier = $1'
  assert.equal((await app.pool.query(queued, [auditLineJob.name])).rowCount, 0)
  assert.ok(((await app.pool.query('select from audit_entry')).rowCount ?? 0) > 0)
})

test('in ECS an entry is an event with actor, subject and source', () => {
  const entry = {
    id: 'e1',
    tenantId: 't1',
    actorId: 'a1',
    subjectId: 's1',
    action: 'session.begun',
    address: '192.0.2.1',
    detail: { userAgent: 'curl', token: 'hidden' },
    createdAt: new Date('2030-01-07T09:00:00Z'),
  }
  assert.deepEqual(JSON.parse(auditLine(entry, 'ecs')), {
    'log.level': 'info',
    '@timestamp': '2030-01-07T09:00:00.000Z',
    'ecs.version': '8.17.0',
    service: { name: 'parley' },
    event: {
      id: 'e1',
      action: 'session.begun',
      kind: 'event',
      dataset: 'parley.audit',
      category: ['authentication'],
    },
    organization: { id: 't1' },
    user: { id: 'a1', target: { id: 's1' } },
    source: { ip: '192.0.2.1' },
    parley: { operator: false, detail: { userAgent: 'curl', token: '[redacted]' } },
    message: 'audit: session.begun',
  })
  const bySystem = { ...entry, actorId: null, subjectId: null, address: 'unknown', action: 'account.invited' }
  const { user, source, event } = JSON.parse(auditLine({ ...bySystem, detail: { by: 'operator' } }, 'ecs'))
  assert.deepEqual([user, source, event.category], [undefined, undefined, ['configuration']])
  assert.equal(JSON.parse(auditLine({ ...bySystem, detail: { by: 'operator' } }, 'json')).audit.operator, true)
})

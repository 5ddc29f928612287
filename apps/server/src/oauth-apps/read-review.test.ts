import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appPath,
  calendarApp,
  decide,
  done,
  meetDevelopers,
  misleading,
  permit,
  reviewPath,
  submit,
} from '../../test/oauth/apps.ts'
import type { Person } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped', environment: { TENANTS: 'globex.example=Globex' } })
const { olga, rita, dan } = await meetDevelopers(app)
let made = 0

const named = (changes: object = {}) =>
  calendarApp({ name: `Planner ${'abcdefghjkmnpqrstuvwxyz'[made++]}`, ...changes })

test('shows a reviewer the changes, the checks and the earlier decisions', async () => {
  const fields = named()
  const before = await submit(dan, fields)
  const first = await done(rita.send('GET', reviewPath(before)))
  assert.deepEqual([first.revision, first.owner.email, first.app._id], [1, dan.email, before._id])
  assert.deepEqual(first.checks, before.checks)
  assert.ok(first.differences.every(({ before: none }: { before: string[] }) => none.length === 0))
  assert.deepEqual(first.differences.length, 12)

  await done(decide(olga, before, 'rejected', misleading))
  await done(dan.send('POST', appPath(before, '/submit')))
  await done(decide(rita, before, 'approved'))
  await done(dan.send('PUT', appPath(before), { ...fields, scopes: [...fields.scopes, 'meeting:create'] }))

  const { differences, history, revision, app: shown } = await done(rita.send('GET', reviewPath(before)))
  assert.deepEqual([revision, shown.status, shown.draftStatus], [2, 'approved', 'under_review'])
  const scopes = ['user:read', 'meeting:read']
  assert.deepEqual(differences, [{ field: 'scopes', before: scopes, after: [...scopes, 'meeting:create'] }])
  assert.deepEqual(
    history.map((line: { revision: number; decision: string; by: string }) => [line.revision, line.decision, line.by]),
    [
      [1, 'submitted', 'Dan Test'],
      [1, 'rejected', 'Olga Test'],
      [1, 'submitted', 'Dan Test'],
      [1, 'approved', 'Rita Test'],
      [2, 'submitted', 'Dan Test'],
    ],
  )
  assert.deepEqual(history[1].reasons, misleading)
})

test('says whether its reader may decide about it', async () => {
  const hers = await submit(rita, named())
  const mayDecide = async (person: Person) => (await done(person.send('GET', reviewPath(hers)))).mayDecide
  assert.deepEqual([await mayDecide(rita), await mayDecide(olga)], [false, true])
  await permit(olga, olga, { reviewer: false })
  assert.equal(await mayDecide(rita), true)
  await permit(olga, olga, { reviewer: true })
})

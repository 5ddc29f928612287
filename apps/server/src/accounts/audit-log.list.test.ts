import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp } from '../../test/people.ts'
import { expectProblem } from '../../test/replies.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const path = '/api/admin/audit-log'
const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock, environment: { TENANTS: 'acme.example=Acme' } })
const olga = await signUp(app, 'Olga')
const alice = await signUp(app, 'Alice')
const stranger = await signUp(app, 'Stranger', 'stranger@acme.example')
clock.advance(60_000)
await olga.send('PUT', `/api/admin/accounts/${alice.profile._id}`, { reviewer: true })

type Entry = { action: string; actor: { _id: string; email: string } | null; subject: { email: string } | null }
const list = async (query = '') => (await olga.send('GET', `${path}${query}`)).body

test('shows Olga the actions and subjects of her organisation, newest first, and of no other', async () => {
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
  await expectProblem(alice.send('GET', path), 'administrator_required')
})

test('filters the log by action, by people and by time, with both bounds', async () => {
  const actionsIn = async (query: string) => (await list(query)).entries.map(({ action }: Entry) => action)
  assert.deepEqual(await actionsIn('?action=account.updated'), ['account.updated'])
  assert.deepEqual(await actionsIn(`?actor=${alice.profile._id}`), ['session.begun', 'account.created'])
  assert.deepEqual((await actionsIn(`?subject=${alice.profile._id}`))[0], 'account.updated')
  assert.deepEqual(await actionsIn('?fromDate=2030-01-01T00:01:00Z'), ['account.updated'])
  assert.deepEqual(await actionsIn('?fromDate=2030-01-01T00:01:00Z&toDate=2030-01-01T00:01:00Z'), [])
  assert.equal((await actionsIn('?toDate=2030-01-01T00:01:00Z')).length, 4)
  assert.deepEqual(await actionsIn(`?actor=${stranger.profile._id}`), [])
  const wrong = '?action=nonsense&actor=me&fromDate=soon&limit=0&after=x'
  await expectProblem(olga.send('GET', path + wrong), 'invalid_request', [
    '/action not_allowed',
    '/actor bad_format',
    '/after bad_format',
    '/fromDate bad_format',
    '/limit too_small',
  ])
})

test('pages through the log without repeats or gaps, from its newest and from its oldest entry', async () => {
  const whole = (await list()).entries
  assert.ok(whole.length > 2)
  const onPages = async (order: string) => {
    const found: unknown[] = []
    for (let after = ''; ; ) {
      const { entries, nextCursor } = await list(`?limit=2${order}${after}`)
      found.push(...entries)
      if (nextCursor === null) return found
      after = `&after=${nextCursor}`
    }
  }
  assert.deepEqual(await onPages(''), whole)
  assert.deepEqual(await onPages('&order=desc'), whole)
  assert.deepEqual(await onPages('&order=asc'), whole.toReversed())
  const { entries } = await list(`?order=asc&actor=${alice.profile._id}`)
  assert.deepEqual(
    entries.map(({ action }: Entry) => action),
    ['account.created', 'session.begun'],
  )
  await expectProblem(olga.send('GET', `${path}?order=up`), 'invalid_request', ['/order not_allowed'])
})

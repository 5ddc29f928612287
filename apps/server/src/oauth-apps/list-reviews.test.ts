import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appPath,
  approvedApp,
  decide,
  done,
  meetDevelopers,
  misleading,
  refused,
  submit,
} from '../../test/oauth/apps.ts'
import { sendRequest } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped' })
const { rita, dan, carol } = await meetDevelopers(app)

test('lists the longest waiting app first, in pages', async () => {
  const names = ['First in line', 'Second of all', 'Third and last']
  const apps = []
  for (const name of names) apps.push(await submit(dan, { name }))
  await submit(dan, { name: 'Only saved', draft: true })
  const held = await submit(dan, { name: 'Held back' })
  await done(decide(rita, held, 'on_hold', misleading))
  await approvedApp(dan, rita, { name: 'Long live' })

  const list = async (query: string) => {
    const body = await done(rita.send('GET', `/api/oauth2/reviews?${query}`))
    return { ...body, names: body.reviews.map(({ name }: { name: string }) => name) }
  }
  assert.deepEqual((await list('')).names, names)
  assert.deepEqual((await list('status=on_hold')).names, ['Held back'])
  const all = await list('status=all')
  assert.deepEqual(all.names, [...names, 'Held back', 'Long live'])
  assert.deepEqual(
    all.reviews.map(({ status, isNew }: { status: string; isNew: boolean }) => `${status} ${isNew}`),
    [...Array(3).fill('under_review true'), 'on_hold true', 'approved false'],
  )

  const first = await list('limit=2')
  assert.deepEqual([first.names, first.moreAvailable], [names.slice(0, 2), true])
  const rest = await list(`limit=2&after=${first.nextCursor}`)
  assert.deepEqual([rest.names, rest.moreAvailable, rest.nextCursor], [names.slice(2), false, null])
  await refused(rita.send('GET', '/api/oauth2/reviews?after=x'), 400, 'invalid_request')

  // A resubmitted app goes to the end.
  await done(dan.send('POST', appPath(held, '/submit')))
  assert.deepEqual((await list('')).names, [...names, 'Held back'])
  assert.equal(apps.length, 3)
})

test('refuses callers who are no reviewers or not signed in', async () => {
  for (const person of [dan, carol]) {
    await refused(person.send('GET', '/api/oauth2/reviews'), 403, 'reviewer_required')
  }
  await refused(sendRequest(app, 'GET', '/api/oauth2/reviews'), 401, 'unauthorized')
})

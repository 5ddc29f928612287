import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, approvedApp, done, meetDevelopers, misleading, refused, submit } from '../../test/oauth/apps.ts'
import { sendRequest } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock })
const { olga, rita, dan, eve } = await meetDevelopers(app)
const subjectsTo = async (email: string) =>
  (await app.mails()).filter(({ to }) => to === email).map(({ subject }) => subject)

test('Olga resumes Dan’s app: it is live again, and he is notified of it and reads who resumed it', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Back again' })
  await done(olga.send('POST', appPath(mine, '/suspend'), { reasons: misleading }))
  await app.mails()
  clock.advance(1_000)
  const resumed = await done(olga.send('POST', appPath(mine, '/resume')))
  assert.deepEqual([resumed.name, resumed.status, resumed.clientId], ['Back again', 'approved', mine.clientId])
  const { status, reasons, modifiedOn } = await done(dan.send('GET', appPath(mine)))
  assert.deepEqual([status, reasons, modifiedOn], ['approved', [], '2030-01-07T09:00:01.000Z'])
  assert.deepEqual(await subjectsTo(dan.email), ['Your app Back again is back'])

  const { events } = await done(dan.send('GET', appPath(mine, '/events?limit=1')))
  assert.deepEqual(
    [events[0].kind, events[0].cause],
    ['app_resumed', 'An administrator has resumed the app; what it held works again.'],
  )
  const { entries } = await done(olga.send('GET', '/api/admin/audit-log?action=app.resumed'))
  assert.deepEqual(
    entries.map(({ actor, subject }: Record<'actor' | 'subject', { email: string }>) => [actor.email, subject.email]),
    [[olga.email, dan.email]],
  )
  const { history } = await done(olga.send('GET', `/api/admin/apps/${mine._id}`))
  assert.equal(history.at(-1).decision, 'resumed')
})

test('resumes only a suspended app, and one of two simultaneous requests', async () => {
  const mine = await submit(dan, { name: 'Never stopped' })
  await refused(olga.send('POST', appPath(mine, '/resume')), 409, 'wrong_app_state')
  await done(olga.send('POST', appPath(mine, '/suspend'), {}))
  const both = await Promise.all([1, 2].map(() => olga.send('POST', appPath(mine, '/resume'))))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
  await app.mails()
})

test('refuses its developer and reviewers, and answers not found for an unknown app', async () => {
  const mine = await submit(dan, { name: 'Stays stopped' })
  await done(olga.send('POST', appPath(mine, '/suspend'), {}))
  for (const person of [dan, eve, rita]) {
    await refused(person.send('POST', appPath(mine, '/resume')), 403, 'administrator_required')
  }
  await refused(sendRequest(app, 'POST', appPath(mine, '/resume')), 401, 'unauthorized')
  for (const _id of ['nonsense', '%00', '00000000-0000-7000-8000-000000000000']) {
    await refused(olga.send('POST', appPath({ _id }, '/resume')), 404, 'app_not_found')
  }
  assert.equal((await done(dan.send('GET', appPath(mine)))).status, 'suspended')
  await app.mails()
})

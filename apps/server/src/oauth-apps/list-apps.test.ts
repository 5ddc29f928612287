import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appPath,
  approvedApp,
  calendarApp,
  decide,
  done,
  meetDevelopers,
  misleading,
  permit,
  refused,
  submit,
} from '../../test/oauth/apps.ts'
import { type Person, sendRequest } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const path = '/api/oauth2/apps'
const app = await startApp({ emails: 'dropped' })
const { olga, rita, dan, eve, carol } = await meetDevelopers(app)

type Listed = { name: string; status: string; draftStatus?: string; reasons: object[] }
const listed = async (person: Person): Promise<Listed[]> => (await done(person.send('GET', path))).apps

test('shows Dan his own apps, oldest first, as he last saved them, and none of Eve’s', async () => {
  assert.deepEqual(await listed(dan), [])
  const live = await approvedApp(dan, rita, { name: 'Live one' })
  await done(dan.send('PUT', appPath(live), calendarApp({ name: 'Renamed one', draft: true })))
  const rejected = await submit(dan, { name: 'Rejected one' })
  await done(decide(rita, rejected, 'rejected', misleading))
  const saved = await submit(dan, { name: 'Saved one', draft: true })
  const deleted = await submit(dan, { name: 'Deleted one' })
  await done(dan.send('DELETE', appPath(deleted)))
  await submit(eve, { name: 'Of Eve' })
  const apps = await listed(dan)
  const shown = apps.map(({ name, status, draftStatus, reasons }) => [name, status, draftStatus, reasons])
  assert.deepEqual(shown.toSorted(), [
    ['Rejected one', 'rejected', undefined, misleading],
    ['Renamed one', 'approved', 'draft', []],
    ['Saved one', 'draft', undefined, []],
  ])
  assert.deepEqual(
    (await listed(eve)).map(({ name }) => name),
    ['Of Eve'],
  )
  assert.equal(saved.status, 'draft')
})

test('refuses callers without OAuth, who lost it, or who are not signed in', async () => {
  await refused(carol.send('GET', path), 403, 'oauth_not_enabled')
  await refused(sendRequest(app, 'GET', path), 401, 'unauthorized')
  await permit(olga, eve, { oauthEnabled: false })
  await refused(eve.send('GET', path), 403, 'oauth_not_enabled')
})

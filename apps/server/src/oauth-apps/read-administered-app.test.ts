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
} from '../../test/oauth/apps.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped', environment: { TENANTS: 'globex.example=Globex' } })
const { olga, rita, dan } = await meetDevelopers(app)

// An administrator suspends apps, but does not review them.
await permit(olga, olga, { reviewer: false })

test('shows the live and the pending revision, and the decisions', async () => {
  const registered = await approvedApp(dan, rita, { name: 'Two faces' })
  await done(dan.send('PUT', appPath(registered), calendarApp({ name: 'Other face', description: 'Something else' })))
  await done(decide(rita, registered, 'rejected', misleading))
  const details = await done(olga.send('GET', `/api/admin/apps/${registered._id}`))
  assert.deepEqual([details.name, details.draftName, details.isLive], ['Two faces', 'Other face', true])
  assert.deepEqual([details.live.name, details.live.status], ['Two faces', 'approved'])
  assert.deepEqual(
    [details.draft.name, details.draft.status, details.draft.draftStatus],
    ['Other face', 'approved', 'rejected'],
  )
  assert.deepEqual(
    details.history.map(({ decision, by }: { decision: string; by: string }) => `${decision} ${by}`),
    ['submitted Dan Test', 'approved Rita Test', 'submitted Dan Test', 'rejected Rita Test'],
  )
  for (const id of ['x', '00000000-0000-7000-8000-000000000000']) {
    await refused(olga.send('GET', `/api/admin/apps/${id}`), 404, 'app_not_found')
  }
})

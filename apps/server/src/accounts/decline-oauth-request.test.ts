import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done, refused } from '../../test/oauth/apps.ts'
import { type Person, signUp, violationsOf } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2026-11-22T09:00:00Z')
const app = await startApp({ clock, environment: { TENANTS: 'acme.test=Acme' } })
const olga = await signUp(app, 'Olga')

const request = (person: Person, reason = 'We plan meetings from our CRM.') =>
  done(person.send('POST', '/api/oauth2/access', { reason }), 202)

const decline = (administrator: Person, person: Person, body: object = {}) =>
  administrator.send('POST', `/api/admin/oauth-requests/${person.profile._id}/decline`, body)

const waitingFor = async (administrator: Person) => {
  const { accounts, totalCount } = await done(administrator.send('GET', '/api/admin/oauth-requests'))
  return [totalCount, ...accounts.map(({ email }: { email: string }) => email)]
}

const recipients = async () => (await app.mails()).map(({ to, subject }) => `${to}: ${subject}`).toSorted()

test('notifies only administrators of the organisation, who alone see requests and decline them', async () => {
  const wile = await signUp(app, 'Wile', 'wile@acme.test')
  const road = await signUp(app, 'Road', 'road@acme.test')
  await app.database.updateTable('account').set({ administrator: true }).where('id', '=', wile.profile._id).execute()
  await app.database.updateTable('account').set({ administrator: false }).where('id', '=', road.profile._id).execute()
  await request(road)
  assert.deepEqual(await recipients(), ['wile@acme.test: Request for OAuth (Beta)'])
  assert.deepEqual(await waitingFor(wile), [1, 'road@acme.test'])
  assert.equal((await waitingFor(olga)).includes('road@acme.test'), false)
  await refused(decline(olga, road), 404, 'account_not_found')
  await refused(decline(road, road), 403, 'administrator_required')
  await refused(road.send('GET', '/api/admin/oauth-requests'), 403, 'administrator_required')
  for (const id of ['me', '%00', 'x'.repeat(150)]) {
    const { status } = await olga.send('POST', `/api/admin/oauth-requests/${id}/decline`, {})
    assert.equal(status, 404)
  }
  assert.deepEqual(violationsOf(await decline(wile, road, { reason: 'a'.repeat(1_001) })), ['/reason too_long'])
  await done(decline(wile, road, { reason: 'a'.repeat(1_000) }))
  await app.mails()
})

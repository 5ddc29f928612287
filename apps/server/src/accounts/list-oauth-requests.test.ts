import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done, permit, refused } from '../../test/oauth/apps.ts'
import { type Person, sendRequest, signUp } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const path = '/api/admin/oauth-requests'
const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock, emails: 'dropped' })
const olga = await signUp(app, 'Olga')
const [dan, eve] = [await signUp(app, 'Dan'), await signUp(app, 'Eve')]

const request = (person: Person, reason: string) => done(person.send('POST', '/api/oauth2/access', { reason }), 202)
const listed = async () => {
  const { totalCount, accounts } = await done(olga.send('GET', path))
  return [totalCount, ...accounts.map(({ email }: Person) => email)]
}

test('shows Olga the pending requests, oldest first, with the latest reason', async () => {
  assert.deepEqual(await listed(), [0])
  await request(eve, 'I build a calendar.')
  clock.advance(1_000)
  await request(dan, 'We plan meetings from our CRM.')
  const { totalCount, accounts } = await done(olga.send('GET', path))
  assert.equal(totalCount, 2)
  assert.deepEqual(
    accounts.map(({ _id, oauthRequest }: { _id: string; oauthRequest: object }) => [_id, oauthRequest]),
    [
      [eve.profile._id, { reason: 'I build a calendar.', requestedOn: '2030-01-01T00:00:00.000Z' }],
      [dan.profile._id, { reason: 'We plan meetings from our CRM.', requestedOn: '2030-01-01T00:00:01.000Z' }],
    ],
  )
})

test('omits accepted and declined requests, and that of a disabled account until it is enabled again', async () => {
  const [fay, gus, hal] = [await signUp(app, 'Fay'), await signUp(app, 'Gus'), await signUp(app, 'Hal')]
  for (const person of [fay, gus, hal]) await request(person, 'Soon')
  const [before] = await listed()
  await permit(olga, fay, { oauthEnabled: true })
  await done(olga.send('POST', `${path}/${gus.profile._id}/decline`, {}))
  await permit(olga, hal, { disabled: true })
  const waiting = await listed()
  assert.equal(waiting[0], Number(before) - 3)
  for (const { email } of [fay, gus, hal]) assert.ok(!waiting.includes(email), email)
  await permit(olga, hal, { disabled: false })
  assert.ok((await listed()).includes(hal.email))
})

test('lists the oldest 100 of more than 100 requests, and counts all', async () => {
  const [before] = await listed()
  const now = clock.now()
  const ids = Array.from({ length: 101 }, (_, at) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`)
  const row = await app.database
    .selectFrom('account')
    .selectAll()
    .where('id', '=', dan.profile._id)
    .executeTakeFirstOrThrow()
  await app.database
    .insertInto('account')
    .values(
      ids.map((id, at) => ({
        ...row,
        id,
        email: `crowd${at}@example.org`,
        emailKey: `crowd${at}@example.org`,
        roomId: id,
        roomCode: `crowd${at}`,
        settings: JSON.stringify(row.settings),
        schoolData: JSON.stringify(row.schoolData),
      })),
    )
    .execute()
  await app.database
    .insertInto('oauthAccessRequest')
    .values(ids.map((accountId) => ({ accountId, reason: 'Crowd', createdAt: now })))
    .execute()
  const { totalCount, accounts } = await done(olga.send('GET', path))
  assert.equal(totalCount, Number(before) + 101)
  assert.equal(accounts.length, 100)
  assert.equal(accounts[0].email, 'eve@example.org')
})

test('refuses callers who are no administrators or not signed in', async () => {
  await refused(dan.send('GET', path), 403, 'administrator_required')
  await refused(sendRequest(app, 'GET', path), 401, 'unauthorized')
})

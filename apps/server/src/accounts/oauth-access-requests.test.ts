import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permit } from '../../test/oauth/apps.ts'
import { type Person, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const path = '/api/admin/oauth-requests'
const organisations = ['acme', 'birch', 'cedar', 'delta']
const { app, clock, olga, mailsTo } = await useApp({
  start: '2030-01-01T00:00:00Z',
  environment: { TENANTS: organisations.map((name) => `${name}.test=${name}`).join() },
})

/** Sign people up in an organisation of their own, whose administrator is the first of them. */
async function meetIn<Names extends readonly string[]>(organisation: string, ...names: Names) {
  const people: Person[] = []
  for (const name of names) people.push(await signUp(app, name, `${name.toLowerCase()}@${organisation}.test`))
  const [administrator] = people
  await app.database
    .updateTable('account')
    .set({ administrator: true })
    .where('id', '=', String(administrator?.profile._id))
    .execute()
  return people as { [At in keyof Names]: Person }
}

const request = (person: Person, reason = 'We plan meetings from our CRM.') =>
  expectOk(person.send('POST', '/api/oauth2/access', { reason }), 202)

const decline = (administrator: Person, person: Person, body: object = {}) =>
  administrator.send('POST', `${path}/${person.profile._id}/decline`, body)

const waitingFor = async (administrator: Person) => {
  const { accounts, totalCount } = await expectOk(administrator.send('GET', path))
  return [totalCount, ...accounts.map(({ email }: Person) => email)]
}

const subjectsTo = async (person: Person) => (await mailsTo(person)).map(({ subject }) => subject)

test('notifies only administrators of the organisation, who alone see requests and decline them', async () => {
  const [wile, road] = await meetIn('acme', 'Wile', 'Road')
  await request(road)
  assert.deepEqual(await subjectsTo(wile), ['Request for OAuth (Beta)'])
  assert.deepEqual(await waitingFor(wile), [1, road.email])
  assert.equal((await waitingFor(olga)).includes(road.email), false)
  await expectProblem(decline(olga, road), 'account_not_found')
  for (const id of ['me', '%00', 'x'.repeat(150)])
    await expectProblem(olga.send('POST', `${path}/${id}/decline`, {}), 'account_not_found')
  await expectProblem(decline(wile, road, { reason: 'a'.repeat(1_001) }), 'invalid_request', ['/reason too_long'])
  await expectOk(decline(wile, road, { reason: 'a'.repeat(1_000) }))
  assert.equal((await subjectsTo(road)).length, 1)
})

test('shows the administrator the pending requests, oldest first, with the latest reason', async () => {
  const [bea, dan, eve] = await meetIn('birch', 'Bea', 'Dan', 'Eve')
  assert.deepEqual(await waitingFor(bea), [0])
  await request(eve, 'I build a calendar.')
  clock.advance(1_000)
  await request(dan, 'We plan meetings from our CRM.')
  const { totalCount, accounts } = await expectOk(bea.send('GET', path))
  assert.equal(totalCount, 2)
  assert.deepEqual(
    accounts.map(({ _id, oauthRequest }: { _id: string; oauthRequest: object }) => [_id, oauthRequest]),
    [
      [eve.profile._id, { reason: 'I build a calendar.', requestedOn: '2030-01-01T00:00:00.000Z' }],
      [dan.profile._id, { reason: 'We plan meetings from our CRM.', requestedOn: '2030-01-01T00:00:01.000Z' }],
    ],
  )
  assert.equal((await mailsTo(bea)).length, 2)
})

test('omits accepted and declined requests, and that of a disabled account until it is enabled again', async () => {
  const [cleo, fay, gus, hal] = await meetIn('cedar', 'Cleo', 'Fay', 'Gus', 'Hal')
  for (const person of [fay, gus, hal]) await request(person)
  await permit(cleo, fay, { oauthEnabled: true })
  await expectOk(decline(cleo, gus))
  await permit(cleo, hal, { disabled: true })
  assert.deepEqual(await waitingFor(cleo), [0])
  await permit(cleo, hal, { disabled: false })
  assert.deepEqual(await waitingFor(cleo), [1, hal.email])
  for (const person of [cleo, fay, gus]) assert.ok((await mailsTo(person)).length > 0, person.email)
})

test('lists the oldest 100 of more than 100 requests, and counts all', async () => {
  const [dora, eli] = await meetIn('delta', 'Dora', 'Eli')
  await request(eli)
  assert.equal((await mailsTo(dora)).length, 1)
  clock.advance(1_000)
  const now = clock.now()
  const ids = Array.from({ length: 101 }, (_, at) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`)
  const row = await app.database
    .selectFrom('account')
    .selectAll()
    .where('id', '=', eli.profile._id)
    .executeTakeFirstOrThrow()
  await app.database
    .insertInto('account')
    .values(
      ids.map((id, at) => ({
        ...row,
        id,
        email: `crowd${at}@delta.test`,
        emailKey: `crowd${at}@delta.test`,
        roomId: id,
        roomCode: `crowd${at}`,
        settings: JSON.stringify(row.settings),
        meetingDefaults: JSON.stringify(row.meetingDefaults),
        schoolData: JSON.stringify(row.schoolData),
        photo: null,
      })),
    )
    .execute()
  await app.database
    .insertInto('oauthAccessRequest')
    .values(ids.map((accountId) => ({ accountId, reason: 'Crowd', createdAt: now })))
    .execute()
  const { totalCount, accounts } = await expectOk(dora.send('GET', path))
  assert.equal(totalCount, 102)
  assert.equal(accounts.length, 100)
  assert.equal(accounts[0].email, eli.email)
})

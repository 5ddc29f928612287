import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { detailsPath, type Person, schedule, signUp, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'
import { quotaOf } from './meeting-quota.ts'

const app = await startApp({ emails: 'dropped', environment: { MEETINGS_PER_ACCOUNT: '6' } })
const quota = quotaOf({ meetingsPerAccount: 6 })

const create = (person: Person, changes: object = {}) =>
  person.send('POST', '/api/meeting?sendUpdates=none', standUp({ participants: [], ...changes }))
const statusesOf = (replies: { status: number }[]) => replies.map(({ status }) => status).toSorted()
const guests = (count: number) => Array.from({ length: count }, (_, at) => `guest${at}@example.com`)

async function usageOf({ profile }: Person) {
  const { rows } = await sql<{ participants: number; textBytes: number }>`
    select sum(participants)::int as participants, sum(text_bytes)::int as "textBytes"
    from hosted_meeting_count where host_id = ${profile._id}`.execute(app.database)
  return rows[0]
}

test('an account has so many meetings, however many are created at the same time; cancelled ones count', async () => {
  const ada = await signUp(app, 'Ada')
  const first = await schedule(ada, standUp({ participants: [] }))
  await ada.send('POST', `/api/meeting/cancel/${first._id}`, { cancel: 'all' })
  const replies = await Promise.all(Array.from({ length: 12 }, () => create(ada)))
  assert.deepEqual(statusesOf(replies), [...Array(5).fill(200), ...Array(7).fill(409)])
  const refused = replies.find(({ status }) => status === 409)
  await expectProblem(refused, 'quota_exceeded')
  assert.match(refused?.body.detail, /6 meetings at most/)
  // What is there can be changed, and others are not concerned.
  const own = replies.find(({ status }) => status === 200)?.body.meetingDetails
  await expectOk(ada.send('PUT', detailsPath(own), standUp({ topic: 'Renamed', participants: [] })))
  await expectOk(create(await signUp(app, 'Bea')))
})

test('its meetings have so many participants in all, also after changes', async () => {
  const eve = await signUp(app, 'Eve')
  const first = await schedule(eve, standUp({ participants: guests(50) }))
  const refused = await expectProblem(create(eve, { participants: guests(11) }), 'quota_exceeded')
  assert.equal(refused.errors?.[0]?.path, '/participants')
  await expectOk(create(eve, { participants: guests(quota.participants - 50) }))
  assert.equal((await usageOf(eve))?.participants, quota.participants)
  const change = (count: number) =>
    eve.send('PUT', `${detailsPath(first)}?sendUpdates=none`, standUp({ participants: guests(count) }))
  await expectProblem(change(51), 'quota_exceeded')
  await expectOk(change(20))
  assert.equal((await usageOf(eve))?.participants, quota.participants - 30)
  await expectOk(change(50))
})

test('their texts have so many bytes in all, and what shortens them is never refused', async () => {
  const uma = await signUp(app, 'Uma')
  const long = await schedule(uma, standUp({ topic: 'Long', description: 'x'.repeat(9_996), participants: [] }))
  for (let at = 0; at < 2; at++) {
    await expectOk(create(uma, { topic: 'Long', description: 'x'.repeat(9_996) }))
  }
  assert.equal((await usageOf(uma))?.textBytes, quota.textBytes)
  const refused = await expectProblem(create(uma, { topic: 'x', description: '' }), 'quota_exceeded')
  assert.equal(refused.errors?.[0]?.path, '/description')
  const moved = await expectProblem(
    uma.send(
      'PUT',
      detailsPath(long),
      standUp({ topic: 'Long', description: 'x'.repeat(9_996), location: 'R', participants: [] }),
    ),
    'quota_exceeded',
  )
  assert.match(moved.detail, /texts of an account's meetings/)
  const shorter = standUp({ topic: 'L', description: '', location: 'Room 5', participants: [] })
  await expectOk(uma.send('PUT', detailsPath(long), shorter))
  assert.equal((await usageOf(uma))?.textBytes, quota.textBytes - 10_000 + 'LRoom 5'.length)
  await expectOk(create(uma, { topic: 'x', description: '', location: 'Room 6' }))
  assert.equal((await usageOf(uma))?.textBytes, quota.textBytes - 10_000 + 'LRoom 5xRoom 6'.length)
})

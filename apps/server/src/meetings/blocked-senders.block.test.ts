import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxBlockedSenders } from '@parley/contract'
import { createFeed } from '../../test/calendar-feeds.ts'
import {
  cancelPath,
  detailsPath,
  type Person,
  password,
  schedule,
  sendRequest,
  signUp,
  standUp,
  weekdays,
} from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'
import { remindJob } from '../invitations/guest-reminders.ts'

const { app, clock } = await useApp({ start: '2030-01-01T12:00:00Z', environment: { RATE_LIMITS: 'off' } })

type Meeting = { _id: string }
const path = '/api/blocked-senders'
const block = (person: Person, { _id }: Meeting) => expectOk(person.send('POST', path, { meetingId: _id }))
const unblock = async (person: Person, sender: Person) => {
  await expectOk(person.send('DELETE', `${path}/${sender.profile._id}`))
}
const recipients = async () => (await app.mails()).map(({ to }) => to).toSorted()

const topicsOf = (rows: { topic: string }[]) => [...new Set(rows.map(({ topic }) => topic))].toSorted()

/** The topics on every surface that shows a person's meetings, without the surfaces that show the same as the first. */
async function shown(person: Person) {
  const get = async (url: string) => (await person.send('GET', url)).body
  const range = 'fromDate=2030-01-01T00:00:00Z&toDate=2030-02-01T00:00:00Z'
  const feed = await (await fetch(`${app.base}${await createFeed(person)}`)).text()
  const list = await get('/api/meeting/me?status=all')
  const surfaces = {
    list: topicsOf(list.meetingDetails),
    ahead: topicsOf((await get('/api/meeting/me?past=false')).meetingDetails),
    range: topicsOf((await get(`/api/meeting/me?${range}`)).meetingDetails),
    calendar: topicsOf((await get(`/api/meeting/calendar/me?${range}`)).occurrences),
    conflicts: topicsOf(
      (await get('/api/meeting/conflicts?start=2030-01-01T00:00:00Z&end=2030-01-31T00:00:00Z')).conflicts,
    ),
    feed: [...new Set([...feed.matchAll(/^SUMMARY:(.*?)\r$/gm)].map(([, topic]) => topic))].toSorted(),
  }
  assert.equal(list.totalCount, list.meetingDetails.length)
  return surfaces
}
const everywhere = (...topics: string[]) => ({
  list: topics,
  ahead: topics,
  range: topics,
  calendar: topics,
  conflicts: topics,
  feed: topics,
})

let people = 0
const meet = async () => {
  people++
  const host = await signUp(app, `Mallory${people}`)
  const guest = await signUp(app, `Rita${people}`)
  const other = await signUp(app, `Sam${people}`)
  return { host, guest, other, both: [guest.email, other.email] }
}

test('meetings of a blocked sender are on no surface of the person, and come back when it is unblocked', async () => {
  const { host, guest, other, both } = await meet()
  const meeting = await schedule(host, standUp({ topic: 'Single', participants: both }))
  await schedule(host, weekdays({ topic: 'Series', participants: both }))
  await schedule(other, standUp({ topic: 'Of another', participants: [guest.email] }))
  await app.mails()
  assert.deepEqual(await shown(guest), everywhere('Of another', 'Series', 'Single'))
  await block(guest, meeting)
  assert.deepEqual(await shown(guest), everywhere('Of another'))
  assert.deepEqual(await shown(other), everywhere('Of another', 'Series', 'Single'), 'another guest')
  await expectOk(guest.send('GET', detailsPath(meeting))) // it can still be opened
  await unblock(guest, host)
  assert.deepEqual(await shown(guest), everywhere('Of another', 'Series', 'Single'))
})

test('a meeting that was added by its link is off the list as well, and the link still opens it', async () => {
  const { host, guest } = await meet()
  const invited = await schedule(host, standUp({ topic: 'Invited', participants: [guest.email] }))
  const open = await schedule(host, standUp({ topic: 'Open', participants: [] }))
  await app.mails()
  const add = () => guest.send('POST', `/api/meeting/add/${open.svcMeetId}`, { pin: open.pin })
  await expectOk(add())
  await block(guest, invited)
  assert.deepEqual(await shown(guest), everywhere())
  const entered = await guest.send('POST', `/api/join/${open.svcMeetId}/enter`, { pin: open.pin, name: 'Rita' })
  assert.notEqual(entered.body.code, 'not_invited', JSON.stringify(entered.body))
})

test('no mail about a meeting goes to who has blocked its host, and nothing says that one was sent', async () => {
  const { host, guest, other, both } = await meet()
  const before = await schedule(host, standUp({ topic: 'Before', participants: both }))
  assert.deepEqual(await recipients(), both)
  await block(guest, before)

  await host.send('PUT', detailsPath(before), standUp({ topic: 'Changed', participants: both }))
  assert.deepEqual(await recipients(), [other.email], 'update')
  const alone = await schedule(host, standUp({ topic: 'Alone', participants: [guest.email] }))
  assert.deepEqual(await recipients(), [], 'invitation')
  const { body } = await host.send('GET', detailsPath(alone))
  assert.deepEqual(Object.values(body[0].notificationsSend), [false, false, false])
  assert.deepEqual(
    [body[0].participants[0].mailFailedOn, body[0].participants[0].mailDelayedUntil],
    [undefined, undefined],
  )
  const { rows } = await app.pool.query('select held_sequence, pending from guest_delivery where meeting_id = $1', [
    alone._id,
  ])
  assert.deepEqual(rows, [{ held_sequence: null, pending: false }])
  assert.deepEqual(await shown(guest), everywhere())

  await host.send('PUT', detailsPath(before), standUp({ topic: 'Without', participants: [other.email] }))
  assert.deepEqual(await recipients(), [other.email], 'removal')
  const series = await schedule(host, weekdays({ topic: 'Cancelled', participants: both }))
  assert.deepEqual(await recipients(), [other.email])
  await host.send('POST', cancelPath(series), { cancel: 'all' })
  assert.deepEqual(await recipients(), [other.email], 'cancellation')

  await unblock(guest, host)
  assert.deepEqual(await recipients(), [], 'nothing is sent after the fact')
  await host.send('PUT', detailsPath(alone), standUp({ topic: 'Moved', participants: [guest.email] }))
  assert.deepEqual(await recipients(), [guest.email], 'the next change')
  assert.deepEqual(await shown(guest), { ...everywhere('Moved'), list: ['Cancelled', 'Moved'] })
})

test('a mail that waits is not sent to who blocks its host in the meantime', async () => {
  const { host, guest, other, both } = await meet()
  const meeting = await schedule(host, standUp({ participants: both }))
  await block(guest, meeting)
  assert.deepEqual(await recipients(), [other.email])
})

test('reminders go to the others', async () => {
  const { host, guest, other, both } = await meet()
  const meeting = await schedule(host, standUp({ participants: both }))
  await app.mails()
  await block(guest, meeting)
  clock.set('2030-01-07T08:45:00Z')
  await app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  const reminded = (await app.mails()).filter(({ to }) => [host.email, ...both].includes(to)).map(({ to }) => to)
  assert.deepEqual(reminded.toSorted(), [host.email, other.email].toSorted())
})

test('a change that adds the person again finds the block, and so does a cohost who does', async () => {
  const { host, guest, other } = await meet()
  const meeting = await schedule(host, standUp({ participants: [guest.email], cohosts: [other.email] }))
  await app.mails()
  await block(guest, meeting)
  const without = standUp({ participants: [], cohosts: [other.email] })
  const again = standUp({ participants: [guest.email], cohosts: [other.email] })
  for (const changing of [host, other]) {
    await changing.send('PUT', `${detailsPath(meeting)}?sendUpdates=none`, without)
    await expectOk(changing.send('PUT', detailsPath(meeting), again))
    assert.ok(!(await recipients()).includes(guest.email))
    assert.deepEqual(await shown(guest), everywhere())
  }
})

test('a meeting that changes hands is hidden by its host alone', async () => {
  const { host, guest, other } = await meet()
  const own = await schedule(other, standUp({ topic: 'Other', participants: [guest.email] }))
  const shared = standUp({ topic: 'Shared', participants: [guest.email], cohosts: [other.email] })
  const meeting = await schedule(host, shared)
  await app.mails()
  const leave = (person: Person) =>
    person.send('POST', '/api/my_profile/delete', { currentPassword: password, meetings: 'hand_over' })
  await block(guest, own)
  assert.deepEqual(await shown(guest), everywhere('Shared'))
  await expectOk(leave(host))
  await app.mails()
  await expectOk(other.send('POST', `/api/meeting/hand-overs/${meeting._id}`, { answer: 'accepted' }))
  assert.deepEqual(await recipients(), [], 'the new host is blocked')
  assert.deepEqual(await shown(guest), everywhere())
  await unblock(guest, other)
  assert.deepEqual((await shown(guest)).list, ['Other', 'Shared'])
})

test('the next owner of an address has none of the blocks', async () => {
  const { host, guest } = await meet()
  await block(guest, await schedule(host, standUp({ topic: 'Kept', participants: [guest.email] })))
  await expectOk(guest.send('POST', '/api/my_profile/delete', { currentPassword: password }))
  await app.mails()
  const next = await signUp(app, 'Next', guest.email)
  assert.deepEqual((await shown(next)).list, ['Kept'])
})

test('only the host of an invitation can be blocked, and only by a signed-in person', async () => {
  const { host, guest, other } = await meet()
  const meeting = await schedule(host, standUp({ participants: [guest.email] }))
  await app.mails()
  await expectProblem(host.send('POST', path, { meetingId: meeting._id }), 'forbidden')
  for (const meetingId of [meeting._id, host.profile._id, 'x']) {
    await expectProblem(other.send('POST', path, { meetingId }), 'meeting_not_found')
  }
  const { body } = await guest.send('POST', '/api/auth/tokens', { name: 'Script', scopes: ['meeting:read'] })
  await expectProblem(
    sendRequest(app, 'POST', path, { meetingId: meeting._id }, { authorization: body.token }),
    'session_required',
  )
})

test('an account blocks a limited number of senders, and the same one again', async () => {
  const { host, guest, other } = await meet()
  const first = await schedule(host, standUp({ participants: [guest.email] }))
  const second = await schedule(other, standUp({ participants: [guest.email] }))
  await app.mails()
  await app.pool.query(
    `with copied as (
      insert into account select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
        'email_key', 'copy' || n, 'room_id', gen_random_uuid(), 'room_code', 'copy' || n))).*
      from account a, generate_series(1, $2::integer) n where a.id = $1 returning id
    ) insert into blocked_sender select $1, id, now() from copied`,
    [guest.profile._id, maxBlockedSenders - 1],
  )
  await block(guest, first)
  await block(guest, first)
  await expectProblem(guest.send('POST', path, { meetingId: second._id }), 'too_many_blocked')
})

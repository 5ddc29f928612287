import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParticipantInfo } from '@livekit/protocol'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { tokensFor } from '../../../test/oauth/token-client.ts'
import { detailsPath, schedule, sendRequest, standUp } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { startRecordingLivekit } from '../../../test/rooms/recording-livekit.ts'
import { as, enter, type Room, updateRoom } from '../../../test/rooms/rooms.ts'
import { tokenIn } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'
import { findPermittedParticipants } from '../admission/permitted-participants.ts'

const livekit = await startRecordingLivekit()
const { app, clock, olga, meet } = await useApp({
  start: '2030-01-07T09:00:00Z',
  environment: livekit.environment,
  media: 'engine',
  emails: 'dropped',
})

/** Run the queued jobs with this person inside, and return the requests that the engine received about the room. */
async function finish(roomId: string, admissionId: string) {
  livekit.listed = [new ParticipantInfo({ sid: `PA_${admissionId}`, identity: admissionId, state: 2 })]
  livekit.asked.length = 0
  await app.mails()
  livekit.listed = []
  return livekit.asked.filter(({ body }) => body.room === roomId).map(({ method, body }) => [method, body.identity])
}
const move = (admissionId: string, enteredAt: Date) =>
  app.database.updateTable('admission').set({ enteredAt, leftAt: null }).where('id', '=', admissionId).execute()

test('removes a person at once when their app loses access, whatever token they have kept', async () => {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  const planner = await approvedApp(app, carol, { scopes: ['meeting:join'] })
  const tokens = () => tokensFor(app, planner, bob, { scopes: ['meeting:join'], clock })
  const room: Room = await schedule(alice, standUp({ participants: [bob.email] }))
  const byApp = { authorization: `Bearer ${(await tokens()).access_token}` }
  const { state, admissionId = '' } = await enter(app, room, byApp)
  assert.equal(state, 'admitted')
  const inside = async () => [
    ...((await findPermittedParticipants(app, room._id, [admissionId], clock.now()))?.keys() ?? []),
  ]
  assert.deepEqual(await inside(), [admissionId])
  await move(admissionId, clock.now())
  const [grant] = (await bob.send('GET', '/api/oauth2/grants')).body.grants
  await expectOk(bob.send('DELETE', `/api/oauth2/grants/${grant._id}`))
  assert.deepEqual(await inside(), [])
  assert.deepEqual(await finish(room._id, admissionId), [
    ['ListParticipants', undefined],
    ['RemoveParticipant', admissionId],
  ])
  // Bob himself may enter: the meeting does not belong to the app.
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
  assert.deepEqual(await inside(), [admissionId])
})

test('removes the former user when the owner of an address claims its account, and admits the owner', async () => {
  const [alice, mallory] = await meet('Alice', 'Mallory')
  const room: Room = await schedule(alice, standUp({ participants: [mallory.email] }))
  const { admissionId = '' } = await enter(app, room, as(mallory))
  await move(admissionId, clock.now())
  await sendRequest(app, 'POST', '/api/auth/password-reset', { email: mallory.email })
  const token = (await app.mails()).map(tokenIn).find((found) => found !== '')
  const newPassword = 'a password of the owner'
  await expectOk(sendRequest(app, 'POST', '/api/auth/password-reset', { token, newPassword }))
  assert.deepEqual(await finish(room._id, admissionId), [
    ['ListParticipants', undefined],
    ['RemoveParticipant', admissionId],
  ])
  const { body } = await sendRequest(app, 'POST', '/api/auth/sign-in', { email: mallory.email, password: newPassword })
  const owner = await enter(app, room, { authorization: `Bearer ${body.token}` })
  assert.equal(owner.state, 'admitted')
  assert.notEqual(owner.admissionId, admissionId)
})

test('treats a former cohost as a participant, also inside', async () => {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  const options = { joinBeforeHost: false, participantHardAudioMute: true }
  const meeting = standUp({ participants: [bob.email], cohosts: [bob.email], advancedOptions: options })
  const room: Room = await schedule(alice, meeting)
  const { admissionId = '', role } = await enter(app, room, as(bob))
  assert.equal(role, 'cohost')
  await move(admissionId, clock.now())
  assert.equal((await enter(app, room, as(carol))).state, 'admitted', 'a cohost is inside')
  await expectOk(alice.send('PUT', detailsPath(room), { ...meeting, cohosts: [] }))
  await finish(room._id, admissionId)
  const kept = app.database.selectFrom('admission').select('role').where('id', '=', admissionId)
  assert.deepEqual(await kept.execute(), [{ role: 'participant' }])
  assert.equal((await enter(app, room, as(bob))).devices?.hardMuted, true)
  assert.equal((await enter(app, room, as(olga))).state, 'waiting_for_host')
  await expectProblem(updateRoom(app, room, { locked: true }, as(bob)), 'host_required')
})

test('reconciles other rooms when one cannot be reconciled', async () => {
  const [alice] = await meet('Alice')
  const rooms = [await schedule(alice, standUp()), await schedule(alice, standUp())]
  const ids = rooms.map(({ _id }) => _id)
  livekit.rooms = ids
  livekit.awayFor.add(ids[0])
  await app.pool.query("select graphile_worker.add_job('reconcile-rooms')")
  const asked = await finish(ids[1] ?? '', 'nobody')
  assert.deepEqual(asked.at(0), ['ListParticipants', undefined])
  livekit.rooms = []
})

test('empties the own room of a disabled account at once, also when its owner is not inside', async () => {
  const [bob, carol] = await meet('Bob', 'Carol')
  const { svcMeetId, roomPIN } = (await carol.send('GET', '/api/my_profile')).body
  const found = app.database.selectFrom('account').select('roomId').where('roomCode', '=', svcMeetId)
  const { roomId } = await found.executeTakeFirstOrThrow()
  const room = { _id: roomId, svcMeetId, pin: roomPIN }
  await enter(app, room, as(carol))
  const { admissionId = '' } = await enter(app, room, as(bob))
  await expectOk(olga.send('PUT', `/api/admin/accounts/${carol.profile._id}`, { disabled: true }))
  assert.deepEqual(await finish(roomId, admissionId), [
    ['ListParticipants', undefined],
    ['RemoveParticipant', admissionId],
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, schedule, signUp, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createMediaReports } from '../../test/rooms/media-reports.ts'
import { startRecordingLivekit } from '../../test/rooms/recording-livekit.ts'
import { as, enter, type Room } from '../../test/rooms/rooms.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const path = '/api/admin/set-up'

test('each step is done by the facts of the own organisation', async () => {
  const livekit = await startRecordingLivekit()
  const clock = createClock('2030-01-07T09:00:00Z')
  const environment = { ...livekit.environment, TENANTS: 'acme.test=Acme', BASE_URL: 'https://meet.example.org' }
  const app = await startApp({ environment, media: 'engine', clock })
  const olga = await signUp(app, 'Olga')
  const wile = await signUp(app, 'Wile', 'wile@acme.test')
  const steps = () => expectOk(olga.send('GET', path))
  const atFirst = { mailIsSent: true, linksArePublic: true, peopleInvited: false, callMade: false }
  assert.deepEqual(await steps(), atFirst)

  const { report } = createMediaReports(app, livekit, clock)
  const call = async (host: Person, room: Room) => {
    const { admissionId = '' } = await enter(app, room, as(host))
    await report('participant_joined', room, admissionId)
  }
  await call(wile, await schedule(wile, standUp({ participants: [] })))
  const tenants = await app.database.selectFrom('tenant').select(['name', 'firstCallAt']).orderBy('name').execute()
  assert.deepEqual(tenants, [
    { name: 'Acme', firstCallAt: clock.now() },
    { name: 'Default', firstCallAt: null },
  ])
  assert.deepEqual(await steps(), atFirst)
  await expectOk(olga.send('POST', '/api/admin/invitations', { email: 'nina@example.org' }), 202)
  assert.deepEqual(await steps(), { ...atFirst, peopleInvited: true })
  const { svcMeetId, roomPIN } = olga.profile as unknown as Record<'svcMeetId' | 'roomPIN', string>
  const [{ roomId }] = (
    await app.pool.query(`select room_id as "roomId" from account where id = $1`, [olga.profile._id])
  ).rows
  await call(olga, { _id: roomId, svcMeetId, pin: roomPIN })
  assert.deepEqual(await steps(), { ...atFirst, peopleInvited: true, callMade: true })
  // What a call leaves is deleted in time.
  await app.pool.query('delete from room_stay')
  await app.pool.query('delete from room_session')
  await app.pool.query('delete from admission')
  assert.equal((await steps()).callMade, true)
  await app.mails()
  await expectProblem(wile.send('GET', path), 'administrator_required')
})

test('another account is a person; links without https or without mail are not done', async () => {
  const app = await startApp({ outreach: 'none', environment: { BASE_URL: 'http://localhost:3000' } })
  const olga = await signUp(app, 'Olga')
  const nina = await signUp(app, 'Nina')
  const { mailIsSent, linksArePublic, peopleInvited } = await expectOk(olga.send('GET', path))
  assert.deepEqual([mailIsSent, linksArePublic, peopleInvited], [false, false, true])
  await expectProblem(nina.send('GET', path), 'administrator_required')
})

test('mails the administrator a test in their language, and not without end', async () => {
  const app = await startApp()
  const olga = await signUp(app, 'Olga')
  const send = () => olga.send('POST', `${path}/test-mail`)
  await expectOk(send(), 204)
  const [mail] = await app.mails()
  assert.deepEqual([mail?.to, mail?.subject], [olga.email, 'Test email'])
  assert.match(mail?.text ?? '', /\/administration\/set-up/)
  let refused = await send()
  for (let sent = 0; sent < 20 && refused.status === 204; sent++) refused = await send()
  await expectProblem(Promise.resolve(refused), 'too_many_requests')
  await app.mails()
})

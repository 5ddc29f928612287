import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queueEndCall } from '../../src/meetings/reconcile-room-job.ts'
import { permit } from '../oauth/apps.ts'
import { cancelPath, detailsPath, schedule, signUp, standUp, weekdays } from '../people.ts'
import { expectOk, expectProblem } from '../replies.ts'
import { type EngineMeetings, leave, until } from './engine-meetings.ts'
import { as, decide, enter, enterAsGuest, type Room, updateRoom, watchAdmission } from './rooms.ts'

/** People who were removed, denied, locked out or disconnected do not return, with any token or socket. */
export function defineExclusionTests({
  app,
  clock,
  olga,
  alice,
  bob,
  carol,
  meet,
  connect,
  enterAndConnect,
  untilInside,
  names,
  control,
  host,
  staysOutside,
}: EngineMeetings) {
  test('a removed participant stays out: with the kept token, a renewed one, a resumed socket, or a new request to enter', async () => {
    const room = await meet()
    const bobs = await enterAndConnect(room, as(bob))
    const spare = await enter(app, room, as(bob))
    assert.ok(spare.media)
    await expectOk(control(room, bobs.admissionId, 'remove'), 204)
    await until(() => bobs.client.socket.readyState === bobs.client.socket.CLOSED)
    const tokens = [bobs.token, bobs.newest(), spare.media.token]
    await staysOutside(room, bobs.admissionId, tokens, bobs.sid)
    const again = await enter(app, room, as(bob))
    assert.deepEqual([again.state, again.media], ['denied', undefined])

    await expectOk(decide(app, room, bobs.admissionId, 'admit', as(alice)), 204)
    await enterAndConnect(room, as(bob))
  })

  test('a waiting person gets no token; the token of a person who was admitted and then denied does not connect', async () => {
    const room = await meet({ waitingRoom: true })
    const waiting = await enter(app, room, as(bob))
    assert.deepEqual([waiting.state, waiting.media], ['waiting', undefined])
    await decide(app, room, waiting.admissionId, 'admit', as(alice))
    const { media, admissionId = '' } = await enter(app, room, as(bob))
    assert.ok(media)
    await expectOk(control(room, admissionId, 'remove'), 204)
    await staysOutside(room, admissionId, [media.token])
  })

  test('with approval of new guests, a removed guest enters neither again nor with an earlier token', async () => {
    const room = await meet()
    const connectGuest = async (name: string) => {
      const guest = await enterAsGuest(app, room, name)
      assert.ok(guest.reply.media)
      const connection = await connect(guest.reply.media)
      await untilInside(guest.admissionId)
      return { ...guest, ...connection }
    }
    const [mia, ina] = [await connectGuest('Mia'), await connectGuest('Ina')]
    clock.advance(1)
    const spare = await enterAsGuest(app, room, 'Spare')
    assert.ok(spare.reply.media)
    clock.advance(1)
    await expectOk(control(room, mia.admissionId, 'remove'), 204)
    await expectOk(updateRoom(app, room, { approvalRequired: true }, as(alice)))
    await staysOutside(room, mia.admissionId, [mia.token])
    await staysOutside(room, spare.admissionId, [spare.reply.media.token])
    const back = await enterAsGuest(app, room, 'Mia again')
    assert.deepEqual([back.reply.state, back.reply.media], ['waiting', undefined])
    assert.ok((await names(room)).includes(ina.admissionId), 'the others stay')

    clock.advance(1)
    await expectOk(decide(app, room, back.admissionId, 'admit', as(alice)), 204)
    await enterAndConnect(room, back.headers)
    await expectOk(updateRoom(app, room, { approvalRequired: false }, as(alice)))
    await connectGuest('Nina')
  })

  test('a locked room refuses people who have a token already, and accepts people who were inside', async () => {
    const room = await meet({}, { cohosts: [carol.email] })
    const bobs = await enterAndConnect(room, as(bob))
    const late = await enterAsGuest(app, room, 'Late')
    assert.ok(late.reply.media)
    await expectOk(updateRoom(app, room, { locked: true }, as(alice)))
    await staysOutside(room, late.admissionId, [late.reply.media.token])
    for (const person of [alice, carol]) assert.equal((await enter(app, room, as(person))).state, 'locked')

    await leave(bobs.client)
    await until(async () => !(await names(room)).includes(bobs.admissionId))
    await enterAndConnect(room, as(bob))
    await expectOk(updateRoom(app, room, { locked: false }, as(alice)))
    await connect(late.reply.media)
    await untilInside(late.admissionId)
  })

  test('when the host ends the meeting, all are disconnected and no token connects; the next date opens again', async () => {
    const room: Room = await schedule(alice, weekdays())
    const bobs = await enterAndConnect(room, as(bob))
    const alices = await enterAndConnect(room, as(alice))
    const spare = await enterAsGuest(app, room, 'Guest')
    assert.ok(spare.reply.media)
    clock.advance(1_000)
    await expectProblem(host(room, 'end', as(bob)), 'host_required')
    await expectOk(host(room, 'end'), 204)
    for (const { client } of [bobs, alices]) await until(() => client.socket.readyState === client.socket.CLOSED)
    await staysOutside(room, bobs.admissionId, [bobs.token, bobs.newest()], bobs.sid)
    await staysOutside(room, alices.admissionId, [alices.newest()])
    await staysOutside(room, spare.admissionId, [spare.reply.media.token])
    assert.equal((await enter(app, room, as(bob))).state, 'ended')
    const at = clock.now()
    clock.set('2030-01-08T08:50:00Z')
    await enterAndConnect(room, as(bob))
    clock.set(at)
  })

  test('a call goes on when its meeting or its date is cancelled, for the people in it, until they leave', async () => {
    for (const body of [{ cancel: 'all' }, { cancel: 'current' }, { cancel: 'current', endCall: false }]) {
      const isSeries = body.cancel === 'current'
      const room: Room = isSeries ? await schedule(alice, weekdays()) : await meet()
      const alices = await enterAndConnect(room, as(alice))
      const bobs = await enterAndConnect(room, as(bob))
      const page = await watchAdmission(app, room, bobs.admissionId, as(bob))
      await page.until(({ state, cancelled }) => state === 'admitted' && cancelled === undefined)
      await expectOk(alice.send('POST', cancelPath(room), body))
      await app.mails()
      await page.until(({ state, cancelled }) => state === 'admitted' && cancelled === true)
      assert.deepEqual((await names(room)).toSorted(), [alices.admissionId, bobs.admissionId].toSorted())
      const outside = isSeries ? 'too_early' : 'cancelled'
      assert.equal((await enter(app, room, as(carol))).state, outside, 'the others cannot come in any more')

      await leave(bobs.client)
      await until(async () => (await names(room)).length === 1)
      await enterAndConnect(room, as(bob))
      assert.equal((await enter(app, room, as(carol))).state, outside, 'a reload lets no one else in')

      page.close()
      // Without an end, an empty room would keep the call open for half a minute.
      await expectOk(host(room, 'end'), 204)
      await until(async () => (await names(room)).length === 0)
      assert.notEqual((await enter(app, room, as(bob))).state, 'admitted', 'the call is over')
    }
  })

  test('a call is not ended with another date than its own, nor when it began after the cancellation', async () => {
    const series: Room = await schedule(alice, weekdays())
    const { admissionId } = await enterAndConnect(series, as(bob))
    const cancel = (body: object) => alice.send('POST', cancelPath(series), body)
    const tomorrow = '2030-01-08T09:00:00Z'
    await expectOk(cancel({ cancel: 'current', occurrence: tomorrow, endCall: true }))
    await app.mails()
    assert.ok((await names(series)).includes(admissionId))
    await expectOk(cancel({ cancel: 'current' }))
    const before = new Date(clock.now().getTime() - 1_000).toISOString()
    const asked = { actorId: series._id, actingGrantId: null, address: '127.0.0.1' }
    await queueEndCall(app.database, series._id, { ...asked, at: before })
    await app.mails()
    assert.ok((await names(series)).includes(admissionId))
  })

  test('participants are disconnected when the meeting, or the current date, is cancelled with its call', async () => {
    const whole = await meet()
    const inWhole = await enterAndConnect(whole, as(bob))
    const page = await watchAdmission(app, whole, inWhole.admissionId, as(bob))
    await alice.send('POST', cancelPath(whole), { cancel: 'all', endCall: true })
    await app.mails()
    await page.until(({ state }) => state === 'cancelled')
    page.close()
    await staysOutside(whole, inWhole.admissionId, [inWhole.token, inWhole.newest()], inWhole.sid)

    const series: Room = await schedule(alice, weekdays())
    const people = [await enterAndConnect(series, as(bob)), await enterAndConnect(series, as(alice))]
    await expectOk(
      alice.send('POST', cancelPath(series), {
        cancel: 'current',
        occurrence: '2030-01-07T09:00:00Z',
        endCall: true,
      }),
    )
    await app.mails()
    for (const { admissionId, token, newest, sid } of people) {
      await staysOutside(series, admissionId, [token, newest()], sid)
    }
    const ending = await watchAdmission(app, series, people[0]?.admissionId ?? '', as(bob))
    await ending.until(({ state }) => state === 'cancelled')
    ending.close()
    const restorePath = `${detailsPath(series)}/occurrences/${encodeURIComponent('2030-01-07T09:00:00Z')}/restore`
    await expectOk(alice.send('POST', restorePath))
    await enterAndConnect(series, as(bob))
  })

  test('people whose account is disabled or whose invitation is withdrawn are disconnected', async () => {
    const erik = await signUp(app, 'Erik')
    const room = await meet({ isRestrictedMeeting: true }, { participants: [bob.email, erik.email] })
    const [eriks, bobs] = [await enterAndConnect(room, as(erik)), await enterAndConnect(room, as(bob))]
    await permit(olga, erik, { disabled: true })
    await app.mails()
    await staysOutside(room, eriks.admissionId, [eriks.token, eriks.newest()], eriks.sid)
    assert.ok((await names(room)).includes(bobs.admissionId))
    const changes = { advancedOptions: { isRestrictedMeeting: true }, participants: [] }
    await expectOk(alice.send('PUT', detailsPath(room), standUp(changes)))
    await app.mails()
    await staysOutside(room, bobs.admissionId, [bobs.token, bobs.newest()], bobs.sid)
  })
}

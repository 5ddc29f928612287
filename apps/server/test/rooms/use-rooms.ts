import assert from 'node:assert/strict'
import { beforeEach } from 'node:test'
import { detailsPath, meetPeople, schedule, sendRequest, standUp } from '../people.ts'
import { expectProblem } from '../replies.ts'
import { createClock, startApp } from '../start-app.ts'
import {
  as,
  createRecordingMedia,
  enter,
  enterAsGuest,
  type Headers,
  type Room,
  roomPath,
  updateRoom,
  watchRoom,
} from './rooms.ts'

/** The start of each test, and of its meetings. */
export const nine = '2030-01-07T09:00:00Z'

/**
 * Start two instances for the tests of a file, with a media engine that accepts no connections: the rows, and who is
 * notified. Each test makes its own meetings, which Alice hosts; it finds the clock at nine, and no media granted.
 */
export async function useRooms() {
  const clock = createClock(nine)
  const media = createRecordingMedia()
  const app = await startApp({ clock, media, emails: 'dropped' })
  const other = await startApp({ clock, media, beside: app })
  const people = await meetPeople(app)
  const { alice, bob, mallory } = people
  beforeEach(() => {
    clock.set(nine)
    media.granted.length = 0
  })

  const meet = (advancedOptions: object = {}, changes: object = {}): Promise<Room> =>
    schedule(alice, standUp({ advancedOptions, ...changes }))
  const update = (room: Room, settings: Parameters<typeof updateRoom>[2], by: Headers = as(alice)) =>
    updateRoom(app, room, settings, by)
  const act = (room: Room, action: string, by: Headers = as(alice)) =>
    sendRequest(app, 'POST', roomPath(room, action), undefined, by)
  /** Record what only the media engine reports: a person is inside, or has left. */
  const move = (admissionId: string | undefined, enteredAt: Date, leftAt: Date | null = null) =>
    app.database.updateTable('admission').set({ enteredAt, leftAt }).where('id', '=', String(admissionId)).execute()

  return {
    ...people,
    clock,
    media,
    app,
    other,
    meet,
    waitingRoom: (changes: object = {}) => meet({ waitingRoom: true }, changes),
    hostKeyOf: async (room: Room) => (await alice.send('GET', detailsPath(room))).body[0].roomKey,
    move,
    async enterRoom(room: Room, headers: Headers) {
      const reply = await enter(app, room, headers)
      await move(reply.admissionId, clock.now())
      return reply
    },
    /** Record a host action on a participant without publishing it. */
    remove: (admissionId: string | undefined) =>
      app.database
        .updateTable('admission')
        .set({ state: 'denied', decidedAt: clock.now() })
        .where('id', '=', String(admissionId))
        .execute(),
    setRoom: (room: Room, values: { lockedAt?: Date | null; endedAt?: Date | null }) =>
      app.database
        .insertInto('room')
        .values({ meetingId: room._id, ...values })
        .onConflict((conflict) => conflict.column('meetingId').doUpdateSet(values))
        .execute(),
    /** What a host currently sees of the room. */
    async watchOnce(room: Room, headers: Headers = as(alice)) {
      const list = await watchRoom(app, room, headers)
      const seen = await list.next()
      list.close()
      return seen
    },
    act,
    update,
    control: (room: Room, admissionId: string | undefined, action: string, by: Headers = as(alice)) =>
      sendRequest(app, 'POST', roomPath(room, `participants/${admissionId}`), { action }, by),
    /** Expect that participants and guests are refused, and that for others the meeting does not exist. */
    async expectHostsOnly(room: Room, send: (room: Room, by: Headers) => ReturnType<typeof sendRequest>) {
      const { headers } = await enterAsGuest(app, room, 'Guest')
      await expectProblem(send(room, as(bob)), 'host_required')
      await expectProblem(send(room, headers), 'host_required')
      await expectProblem(send(room, as(mallory)), 'meeting_not_found')
      await expectProblem(send(room, {}), 'meeting_not_found')
      await expectProblem(send({ ...room, svcMeetId: '8999999999' }, as(alice)), 'meeting_not_found')
      assert.equal((await enter(app, room, as(bob))).state, 'admitted')
    },
    /** The audit entries of a meeting, as action, actor and subject. */
    async auditedOf(room: Room) {
      const rows = await app.database.selectFrom('auditEntry').selectAll().orderBy('id').execute()
      return rows
        .filter(({ detail }) => (detail as { meetingId?: string }).meetingId === room._id)
        .map(({ action, actorId, subjectId }) => [action, actorId, subjectId])
    },
  }
}

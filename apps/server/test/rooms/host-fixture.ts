import assert from 'node:assert/strict'
import { meetPeople, schedule, sendRequest, standUp } from '../people.ts'
import { createClock, startApp } from '../start-app.ts'
import { nine } from './entry-fixture.ts'
import {
  as,
  createRecordingMedia,
  enter,
  enterAsGuest,
  type Headers,
  type Room,
  roomPath,
  updateRoom,
  verdictOf,
} from './rooms.ts'

/** Meetings that Alice hosts and what a host does to them, without a media engine: the rows, and who is notified. */
export async function setUpHost() {
  const clock = createClock(nine)
  const app = await startApp({ clock, media: createRecordingMedia(), emails: 'dropped' })
  const people = await meetPeople(app)
  const { alice, bob, mallory } = people
  const meet = (advancedOptions: object = {}, changes: object = {}): Promise<Room> =>
    schedule(alice, standUp({ advancedOptions, ...changes }))
  const act = (room: Room, action: string, by: Headers = as(alice)) =>
    sendRequest(app, 'POST', roomPath(room, action), undefined, by)
  const update = (room: Room, settings: Parameters<typeof updateRoom>[2], by: Headers = as(alice)) =>
    updateRoom(app, room, settings, by)
  /** Set what only the media engine reports: a person is inside, or has left. */
  const move = (admissionId: string | undefined, enteredAt: Date, leftAt: Date | null = null) =>
    app.database.updateTable('admission').set({ enteredAt, leftAt }).where('id', '=', String(admissionId)).execute()

  async function enterRoom(room: Room, headers: Headers) {
    const reply = await enter(app, room, headers)
    await move(reply.admissionId, clock.now())
    return reply
  }

  /** A host action is refused to participants and guests, and for others the meeting does not exist. */
  async function assertHostsOnly(room: Room, action: string) {
    const { headers } = await enterAsGuest(app, room, 'Guest')
    const verdicts = [
      await act(room, action, as(bob)),
      await act(room, action, headers),
      await act(room, action, as(mallory)),
      await act(room, action, {}),
      await act({ ...room, svcMeetId: '8999999999' }, action),
    ]
    assert.deepEqual(verdicts.map(verdictOf), [
      '403 host_required',
      '403 host_required',
      '404 meeting_not_found',
      '404 meeting_not_found',
      '404 meeting_not_found',
    ])
  }

  /** The audit entries of a meeting, as action, actor and subject. */
  async function auditedOf(room: Room) {
    const rows = await app.database.selectFrom('auditEntry').selectAll().orderBy('id').execute()
    return rows
      .filter(({ detail }) => (detail as { meetingId?: string }).meetingId === room._id)
      .map(({ action, actorId, subjectId }) => [action, actorId, subjectId])
  }

  return {
    ...people,
    app,
    clock,
    meet,
    act,
    update,
    move,
    enterRoom,
    assertHostsOnly,
    auditedOf,
    control: (room: Room, admissionId: string | undefined, action: string, by: Headers = as(alice)) =>
      sendRequest(app, 'POST', roomPath(room, `participants/${admissionId}`), { action }, by),
  }
}

import { detailsPath, meetPeople, schedule, standUp } from '../people.ts'
import { createClock, startApp } from '../start-app.ts'
import { as, createRecordingMedia, type Headers, type Room, watchRoom } from './rooms.ts'

/** The start of these tests' meetings. */
export const nine = '2030-01-07T09:00:00Z'

/** Admission to meetings that Alice hosts, on two instances, with a media engine that accepts no connections. */
export async function setUpEntry() {
  const clock = createClock(nine)
  const media = createRecordingMedia()
  const app = await startApp({ clock, media, emails: 'dropped' })
  const other = await startApp({ clock, media, beside: app })
  const people = await meetPeople(app)
  const { alice } = people
  const meet = (advancedOptions: object, changes: object = {}): Promise<Room> =>
    schedule(alice, standUp({ advancedOptions, ...changes }))
  return {
    ...people,
    clock,
    media,
    app,
    other,
    meet,
    waitingRoom: (changes: object = {}) => meet({ waitingRoom: true }, changes),
    hostKeyOf: async (room: Room) => (await alice.send('GET', detailsPath(room))).body[0].roomKey,
    /** Record what only the media engine reports: a person is inside, or has left. */
    move: (admissionId: string | undefined, enteredAt: Date, leftAt: Date | null = null) =>
      app.database.updateTable('admission').set({ enteredAt, leftAt }).where('id', '=', String(admissionId)).execute(),
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
    /** What a host currently sees of the waiting room. */
    async watchOnce(room: Room, headers: Headers = as(alice)) {
      const list = await watchRoom(app, room, headers)
      const seen = await list.next()
      list.close()
      return seen
    },
  }
}

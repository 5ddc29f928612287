import { detailsPath, meetPeople, schedule, standUp } from '../people.ts'
import { createClock, startApp } from '../start-app.ts'
import { as, createNotedMedia, type Headers, type Room, watchRoom } from './rooms.ts'

/** When the meetings of these tests begin. */
export const nine = '2030-01-07T09:00:00Z'

/** The door of meetings that Alice hosts, on two instances, with media that lead nowhere. */
export async function setUpEntry() {
  const clock = createClock(nine)
  const media = createNotedMedia()
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
    /** What only the media report: somebody is inside, or has left. */
    move: (admissionId: string | undefined, enteredAt: Date, leftAt: Date | null = null) =>
      app.database.updateTable('admission').set({ enteredAt, leftAt }).where('id', '=', String(admissionId)).execute(),
    /** What a host has done to somebody inside, without an announcement. */
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
    /** What whoever hosts sees of the door at this moment. */
    async watchOnce(room: Room, headers: Headers = as(alice)) {
      const list = await watchRoom(app, room, headers)
      const seen = await list.next()
      list.close()
      return seen
    },
  }
}

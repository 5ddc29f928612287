import { watchRoom } from '@parley/contract'
import { occurrenceToEnter } from '@parley/rules/rooms/admission'
import { asksNewGuestsSince } from '@parley/rules/rooms/kept-admission'
import { namesEveryAddress } from '../access/trusted-address.ts'
import { seriesForEntry } from './admission/meeting-for-entry.ts'
import type { RoomsService } from './dependencies.ts'
import { hostAtRoom } from './room-host.ts'
import type { ListedPerson } from './room-store.ts'
import { entryTopic, roomTopic } from './room-topics.ts'

/** Stream to hosts who waits, who was denied and who is inside. */
export function serveWatchRoom(service: RoomsService) {
  const { serve, clock, config, reads } = service
  serve(watchRoom, {
    handle: async (context) => {
      const { row } = await hostAtRoom(service, context, context.params.svcMeetId, reads)
      const now = clock.now()
      const occurrence = occurrenceToEnter(seriesForEntry(row), now)
      const people = await reads.findPeople(row.id, {
        now,
        namesEveryAddress: namesEveryAddress(context.caller, config),
      })
      const peopleWith = (status: ListedPerson['status']) => people.filter((person) => person.status === status)
      return {
        topics: [roomTopic(row.id), entryTopic(row.id)],
        snapshot: {
          locked: row.lockedAt !== null,
          waitingRoom: row.options.waitingRoom,
          asksNewGuests: asksNewGuestsSince(row, { occurrence, repeats: row.rule.repeat !== 'none' }) !== undefined,
          waiting: peopleWith('waiting').map((person) => ({ ...view(person), askedOn: person.since.toISOString() })),
          turnedAway: peopleWith('turnedAway').map((person) => ({
            ...view(person),
            decidedOn: person.since.toISOString(),
          })),
          participants: peopleWith('inside').map((person) => ({
            ...view(person),
            role: person.role,
            madeCohost: person.madeCohost,
            hardMuted: person.hardMuted,
            enteredOn: person.since.toISOString(),
          })),
        },
      }
    },
  })
}

const view = ({ id, name, email, guest }: ListedPerson) => ({ admissionId: id, name, email, guest })

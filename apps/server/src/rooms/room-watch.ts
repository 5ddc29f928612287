import { type AllowedRights, watchRoom } from '@parley/contract'
import { currentRoomOf, openBreakout, viewBreakout } from '@parley/rules/rooms/breakout-rooms'
import { namesEveryAddress } from '../access/trusted-address.ts'
import { occurrenceNow, rightsOfParticipants, rightsOfPerson, roomSettingsOf } from './admission/meeting-for-entry.ts'
import type { Dependencies } from './dependencies.ts'
import { rightsControllableOn, supportsBreakoutRooms } from './engine/media-engine.ts'
import { requireRoomHost } from './room-host.ts'
import type { ListedPerson } from './room-store.ts'
import { roomTopic, waitingRoomTopic } from './room-topics.ts'

/** Stream to hosts who waits, who was denied and who is inside. */
export function registerWatchRoom(dependencies: Dependencies) {
  const { serve, clock, config, reads } = dependencies
  serve(watchRoom, {
    handle: async (context) => {
      const { meeting, owns } = await requireRoomHost(dependencies, context, context.params.svcMeetId, reads)
      const now = clock.now()
      const people = await reads.listPeople(meeting.id, {
        now,
        namesEveryAddress: namesEveryAddress(context.caller, config),
      })
      const occurrence = occurrenceNow(meeting, now)
      const breakout = openBreakout(meeting.breakout, now)
      const peopleWith = (status: ListedPerson['status']) => people.filter((person) => person.status === status)
      return {
        topics: [roomTopic(meeting.id), waitingRoomTopic(meeting.id)],
        snapshot: {
          ...roomSettingsOf(meeting, now),
          owns,
          allowed: rightsOfParticipants(meeting, now),
          breakout: viewBreakout(breakout),
          breakoutSupported: supportsBreakoutRooms(config),
          controllable: [...rightsControllableOn(config)],
          waitingRoom: meeting.options.waitingRoom,
          waiting: peopleWith('waiting').map((person) => ({
            ...toRoomPerson(person),
            askedOn: person.since.toISOString(),
          })),
          denied: peopleWith('denied').map((person) => ({
            ...toRoomPerson(person),
            decidedOn: person.since.toISOString(),
          })),
          participants: peopleWith('inside').map((person) => ({
            ...toRoomPerson(person),
            role: person.role,
            madeCohost: person.madeCohost,
            madeHost: person.role === 'host' && person.accountId !== meeting.host.id,
            ...toRights(rightsOfPerson(meeting, person, occurrence)),
            breakoutRoom: currentRoomOf(breakout, person),
            helpAskedOn: (breakout && person.helpAskedAt?.toISOString()) ?? null,
            enteredOn: person.since.toISOString(),
          })),
        },
        ...(breakout?.endsAt && { changesAt: new Date(breakout.endsAt) }),
      }
    },
  })
}

const toRights = (allowed: AllowedRights) => ({ hardMuted: !allowed.microphone, allowed })
const toRoomPerson = ({ id, name, email, guest, formerName }: ListedPerson) => ({
  admissionId: id,
  name,
  email,
  guest,
  formerName,
})

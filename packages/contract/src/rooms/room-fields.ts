import { Type } from 'typebox'
import { nullableText } from '../value.ts'

/** Fields that several endpoints of rooms have. */
export const roomRoles = ['host', 'cohost', 'participant'] as const
export type RoomRole = (typeof roomRoles)[number]

export const ofRoom = Type.Object({ svcMeetId: Type.String({ description: 'Meeting ID of the link: ten digits' }) })

export const ofAdmission = Type.Object({
  ...ofRoom.properties,
  admissionId: Type.String({ description: 'Id of a person in this meeting, of `enterRoom` or `watchRoom`' }),
})

export const isGuest = Type.Boolean({
  description: 'The person has no account: the name is what they entered, and proves nothing',
})

export const endsAt = nullableText({
  description:
    'The end of the call as planned, or as a host has extended it; null for an own room, which has none. The call goes ' +
    'on after it, until everyone leaves or a host ends it',
})

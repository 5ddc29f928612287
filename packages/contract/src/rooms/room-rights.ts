import { type Static, Type } from 'typebox'
import { choice } from '../value.ts'

/**
 * What hosts may take from the participants of a call, and give back. Hosts and cohosts always have all of it.
 */
export const roomRights = ['microphone', 'camera', 'screen', 'chat', 'reactions'] as const
export type RoomRight = (typeof roomRights)[number]

const fields = {
  microphone: Type.Boolean({ description: 'Send audio (the microphone, the sound of a shared screen), and captions' }),
  camera: Type.Boolean({ description: 'Send the video of a camera' }),
  screen: Type.Boolean({ description: 'Share a screen' }),
  chat: Type.Boolean({ description: 'Write in the chat; reading is always allowed' }),
  reactions: Type.Boolean({ description: 'Send reactions; a hand can always be raised' }),
}

/** Whether each right is allowed. */
export const allowedRights = (description: string) => Type.Object(fields, { description })
export type AllowedRights = Static<ReturnType<typeof allowedRights>>

/** The rights that a host changes; the others stay. */
export const changedRights = (description: string) => Type.Partial(Type.Object(fields), { description })

/** All rights, which hosts and cohosts have. */
export const allRights: AllowedRights = { microphone: true, camera: true, screen: true, chat: true, reactions: true }

/** More tiles would no longer be large. */
const maxSpotlights = 9

/** The tiles that hosts show large to everyone, in their order. */
export const spotlight = Type.Array(
  Type.Object({
    admissionId: Type.String({ maxLength: 36, description: 'Id of a participant' }),
    source: choice(['camera', 'screen'], { description: 'Whether the camera or the shared screen is shown' }),
  }),
  {
    maxItems: maxSpotlights,
    description: 'Whom everyone sees large, until the call ends; people who are not inside are left out by pages',
  },
)
export type Spotlight = Static<typeof spotlight>

/** By how many minutes a host extends a call at once. */
export const extensions = [15, 30] as const

/**
 * The topics of the data messages between the pages of a room. The embedded media engine forwards a topic only with its
 * right, captions with that of the microphone; raised hands and requests for earlier messages need none.
 */
export const dataTopics = {
  signals: 'parley',
  chat: 'parley-chat',
  reactions: 'parley-reactions',
  captions: 'parley-captions',
} as const

/** The attribute of a participant that lists, after spaces, the only topics that the participant may send. */
export const topicsAttribute = 'parley.topics'

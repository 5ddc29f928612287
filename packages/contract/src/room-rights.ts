import { type Static, Type } from 'typebox'

/**
 * What hosts may take from the participants of a call, and give back. Hosts and cohosts always have all of it.
 */
export const roomRights = ['microphone', 'camera', 'screen', 'chat', 'reactions'] as const
export type RoomRight = (typeof roomRights)[number]

const fields = {
  microphone: Type.Boolean({ description: 'Send audio: the microphone, and the sound of a shared screen' }),
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

/**
 * The topics of the data messages between the pages of a room. The embedded media engine forwards a topic only with its
 * right; raised hands and requests for earlier messages need none.
 */
export const dataTopics = { signals: 'parley', chat: 'parley-chat', reactions: 'parley-reactions' } as const

/** The attribute of a participant that lists, after spaces, the only topics that the participant may send. */
export const topicsAttribute = 'parley.topics'

import { DisconnectReason, LeaveRequest_Action } from '@livekit/protocol'
import { MediaRoom } from './media-room.ts'
import type { RoomDependencies } from './room-dependencies.ts'

export const maxRooms = 500
export const maxRoomNameLength = 256

/** The rooms of this process, by name. */
export class Rooms {
  readonly #rooms = new Map<string, MediaRoom>()
  readonly #tools: RoomDependencies

  constructor(tools: RoomDependencies) {
    this.#tools = tools
  }

  get all(): MediaRoom[] {
    return [...this.#rooms.values()]
  }

  get(name: string): MediaRoom | undefined {
    return this.#rooms.get(name)
  }

  /** The room of this name, opened when there is none; undefined when there are too many. */
  open(name: string): MediaRoom | undefined {
    const existing = this.#rooms.get(name)
    if (existing !== undefined) return existing
    if (this.#rooms.size >= maxRooms) return undefined
    const room = new MediaRoom(name, this.#tools, () => this.#rooms.delete(name))
    this.#rooms.set(name, room)
    return room
  }

  /** The process ends. Another will take its place, and everybody is to come back there. */
  close(): void {
    for (const room of this.all) room.close(DisconnectReason.SERVER_SHUTDOWN, LeaveRequest_Action.RECONNECT)
  }
}

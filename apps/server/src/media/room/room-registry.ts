import { DisconnectReason, LeaveRequest_Action } from '@livekit/protocol'
import { MediaRoom } from './media-room.ts'
import type { RoomDependencies } from './room-dependencies.ts'

const maxRooms = 500
export const maxRoomNameLength = 256

/** The rooms of this process, by name. */
export class Rooms {
  readonly #rooms = new Map<string, MediaRoom>()
  readonly #dependencies: RoomDependencies

  constructor(dependencies: RoomDependencies) {
    this.#dependencies = dependencies
  }

  get all(): MediaRoom[] {
    return [...this.#rooms.values()]
  }

  get(name: string): MediaRoom | undefined {
    return this.#rooms.get(name)
  }

  /** Find or open the room of this name; undefined if there are too many rooms. */
  open(name: string): MediaRoom | undefined {
    const existing = this.#rooms.get(name)
    if (existing !== undefined) return existing
    if (this.#rooms.size >= maxRooms) return undefined
    const room = new MediaRoom(name, this.#dependencies, () => this.#rooms.delete(name))
    this.#rooms.set(name, room)
    return room
  }

  /** Close all rooms before the process ends, and let clients reconnect to the next process. */
  close(): void {
    for (const room of this.all) room.close(DisconnectReason.SERVER_SHUTDOWN, LeaveRequest_Action.RECONNECT)
  }
}

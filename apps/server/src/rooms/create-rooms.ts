import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { AnonymousCookie } from '../access/credentials/anonymous-cookie.ts'
import type { WithDatabase } from '../access/service.ts'
import type { Dependencies as AccountsService } from '../accounts/dependencies.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { serveAddMeeting } from './admission/add-meeting.ts'
import { deleteOldAdmissions } from './admission/admission-store.ts'
import { serveAdmitAll, serveDecideAdmission } from './admission/decide.ts'
import { serveEnterRoom } from './admission/enter.ts'
import { serveWatchAdmission } from './admission/watch.ts'
import { serveExportAttendance, serveListAttendance } from './attendance.ts'
import { deleteOldHistory } from './attendance-store.ts'
import type { RoomsService } from './dependencies.ts'
import type { MediaAccess } from './engine/media-access.ts'
import type { MediaEngine } from './engine/media-engine.ts'
import { serveMedia } from './engine/serve-media.ts'
import { serveControlParticipant } from './participant-controls.ts'
import { createPresence, type PresenceTimes } from './presence.ts'
import {
  serveAskNewGuests,
  serveEndRoom,
  serveLockRoom,
  serveMuteAll,
  serveStopAskingNewGuests,
  serveUnlockRoom,
} from './room-controls.ts'
import { createRoomReads } from './room-reads.ts'
import { serveWatchRoom } from './room-watch.ts'

export type RoomsOptions = {
  /**
   * Who grants admitted people access to audio and video. `engine`: LiveKit or the embedded engine, as configured;
   * absent: there is neither, and people are admitted all the same.
   */
  media?: 'engine' | MediaAccess
  /** When it is recorded who waits; the default when absent. */
  presenceTimes?: PresenceTimes
}

type Dependencies = WithDatabase<AccountsService> & {
  http: FastifyInstance
  pool: Pool
  log: Logger
  guestCookie: AnonymousCookie
}

type Rooms = {
  service: RoomsService
  /** What carries audio and video; absent where nothing does. */
  engine: MediaEngine | undefined
  mediaJobs: ModuleJobs | undefined
  /** Record no longer who waits: pages that lose their streams now reconnect to another instance. */
  drain(): void
  /** End the calls that go through this process; their participants reconnect, elsewhere or later. */
  endCalls(): Promise<void>
}

/** Compose what serves rooms: presence, shared reads, and the media engine. */
export function createRooms(dependencies: Dependencies, { media, presenceTimes }: RoomsOptions): Rooms {
  const { database, clock, log, guestCookie } = dependencies
  const engine = media === 'engine' ? serveMedia(dependencies) : undefined
  const access = media === 'engine' ? engine?.access : media
  const presence = createPresence({ database, clock, log, ...(presenceTimes && { times: presenceTimes }) })
  return {
    service: {
      ...dependencies,
      guestCookie,
      reads: createRoomReads(database),
      presence,
      ...(access && { media: access }),
      ...(engine && { control: engine.control }),
    },
    engine: engine?.engine,
    mediaJobs: engine?.jobs,
    drain: () => presence.close(),
    endCalls: async () => engine?.stop(),
  }
}

/**
 * The background work of rooms: what the media engine needs, where there is one; attendance and admissions that expire.
 */
export const createRoomJobs = ({ database, config }: WithDatabase, media: ModuleJobs | undefined): ModuleJobs => ({
  ...media,
  async deleteExpired(now) {
    await deleteOldHistory(database, now, config.retention.historyDays)
    await deleteOldAdmissions(database, now)
  },
})

/** Register every endpoint of rooms: admission, host controls, attendance. */
export function registerRoomRoutes(rooms: RoomsService): void {
  serveEnterRoom(rooms)
  serveWatchAdmission(rooms)
  serveWatchRoom(rooms)
  serveDecideAdmission(rooms)
  serveAdmitAll(rooms)
  serveControlParticipant(rooms)
  serveLockRoom(rooms)
  serveUnlockRoom(rooms)
  serveAskNewGuests(rooms)
  serveStopAskingNewGuests(rooms)
  serveMuteAll(rooms)
  serveEndRoom(rooms)
  serveAddMeeting(rooms)
  serveListAttendance(rooms)
  serveExportAttendance(rooms)
}

import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { registerAddMeeting } from './admission/add-meeting.ts'
import { deleteOldAdmissions } from './admission/admission-store.ts'
import { registerDecisions } from './admission/decide.ts'
import { registerEnterRoom } from './admission/enter.ts'
import { registerRenameAdmission } from './admission/rename.ts'
import { registerWatchAdmission } from './admission/watch.ts'
import { registerAttendance } from './attendance.ts'
import { deleteOldHistory } from './attendance-store.ts'
import { registerBreakoutRooms } from './breakout/breakout-rooms.ts'
import type { Dependencies, ReceivedDependencies } from './dependencies.ts'
import type { MediaAccess } from './engine/media-access.ts'
import type { MediaEngine } from './engine/media-engine.ts'
import { serveMedia } from './engine/serve-media.ts'
import { registerParticipantControls } from './participant-controls.ts'
import { createPresence, type PresenceTimes } from './presence.ts'
import { registerRoomControls } from './room-controls.ts'
import { createRoomReads } from './room-reads.ts'
import { registerWatchRoom } from './room-watch.ts'
import { createCallStartJobs, createStartJobs, startChecksJob } from './starting.ts'

export type RoomsOptions = {
  /**
   * The engine that grants admitted people access to audio and video. `engine`: LiveKit or the embedded engine, as
   * configured. Undefined: there is no engine, and people are admitted all the same.
   */
  media?: 'engine' | MediaAccess
  /** Intervals of recording who waits; the defaults when absent. */
  presenceTimes?: PresenceTimes
}

type RoomsModule = {
  /** The media engine; undefined in a service without audio and video. */
  engine: MediaEngine | undefined
  jobs: ModuleJobs
  /** Stop recording who waits: pages that lose their streams from now on reconnect to another instance. */
  drain(): void
  /** End the calls that run through this process. Their participants reconnect to another instance, or later. */
  endCalls(): Promise<void>
}

/** Create what serves rooms (presence, shared reads, the media engine), and register the endpoints. */
export function createRooms(received: ReceivedDependencies, { media, presenceTimes }: RoomsOptions): RoomsModule {
  const { database, clock, log, config } = received
  const served = media === 'engine' ? serveMedia(received) : undefined
  const access = media === 'engine' ? served?.access : media
  const presence = createPresence({ database, clock, log, ...(presenceTimes && { times: presenceTimes }) })
  const dependencies: Dependencies = {
    ...received,
    reads: createRoomReads(database),
    presence,
    ...(access && { media: access }),
    ...(served && { control: served.control }),
  }
  registerEnterRoom(dependencies)
  registerWatchAdmission(dependencies)
  registerRenameAdmission(dependencies)
  registerDecisions(dependencies)
  registerAddMeeting(dependencies)
  registerWatchRoom(dependencies)
  registerRoomControls(dependencies)
  registerParticipantControls(dependencies)
  registerBreakoutRooms(dependencies)
  registerAttendance(dependencies)
  return {
    engine: served?.engine,
    jobs: {
      ...served?.jobs,
      tasks: { ...served?.jobs.tasks, ...createStartJobs(received), ...createCallStartJobs(received) },
      minutely: [...(served?.jobs.minutely ?? []), startChecksJob.name],
      async deleteExpired(now) {
        await deleteOldHistory(database, now, config.retention.historyDays)
        await deleteOldAdmissions(database, now)
      },
    },
    drain: () => presence.close(),
    endCalls: async () => served?.stop(),
  }
}

import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { networkOf } from '../../access/network.ts'
import type { Service } from '../../access/service.ts'
import { createClientAddress } from '../../platform/http/client-address.ts'
import type { ModuleJobs } from '../../platform/jobs/module-jobs.ts'
import { machineId } from '../../platform/machine.ts'
import type { MediaAccess } from '../media-access.ts'
import { createMediaControl, type MediaControl } from '../media-control.ts'
import { createEmbeddedMedia } from './embedded-media.ts'
import { createMediaAccess } from './grant-media.ts'
import { handleMediaEvent } from './handle-media-event.ts'
import { livekitMedia } from './livekit-media.ts'
import { createMayConnect } from './may-connect.ts'
import type { MediaEngine } from './media-engine.ts'
import { serveEmbeddedMedia } from './media-proxy.ts'
import { createReconcileRoomTask, type ReconcileDependencies } from './reconcile-room.ts'
import { createReconcileRoomsTask, endAllAttendance, reconcileRoomsJob } from './reconcile-rooms.ts'
import { createReconcileRoomsOfAccountTask } from './reconcile-rooms-of-account.ts'
import { serveMediaEvents } from './serve-media-events.ts'
import { createSharedEngine } from './shared-engine.ts'

export type Media = {
  engine: MediaEngine
  access: MediaAccess
  control: MediaControl
  /** The methods that each address outside the contract takes. */
  paths: Map<string, string[]>
  jobs: ModuleJobs
  /** Ends calls that this process carries. */
  stop(): Promise<void>
}

type Dependencies = { http: FastifyInstance; pool: Pool; log: Logger }

/** Sound and pictures: LiveKit's servers where the operator has some, else the embedded engine. */
export function serveMedia(service: Service, { http, pool, log }: Dependencies): Media {
  const { livekit } = service.config
  const put = (engine: MediaEngine) => {
    const control = createMediaControl(engine)
    const settling: ReconcileDependencies = { ...service, control, log }
    const jobs: ModuleJobs = {
      tasks: {
        ...createReconcileRoomTask(settling),
        ...createReconcileRoomsOfAccountTask(settling),
        ...createReconcileRoomsTask({ ...settling, engine }),
      },
      minutely: [reconcileRoomsJob.name],
      atStart: [reconcileRoomsJob.name],
    }
    return {
      settling,
      media: { engine, control, jobs, access: createMediaAccess(engine, service) },
    }
  }
  if (livekit !== undefined) {
    const engine = livekitMedia(livekit)
    const { settling, media } = put(engine)
    return { ...media, paths: serveMediaEvents(http, engine, settling), stop: async () => {} }
  }

  let heard = Promise.resolve()
  /** One after the other, so that a coming is heard before the leaving. What fails is made up for within a minute. */
  const hear = (deed: () => Promise<unknown>) => {
    heard = heard.then(deed).then(
      () => {},
      (error) => log.warn({ err: error }, 'a report of the media engine could not be heard'),
    )
  }
  const createEngine = (noteAddress: (address: string) => void) =>
    createEmbeddedMedia({
      ...service,
      log,
      noteAddress,
      onEvent: (event) => hear(async () => handleMediaEvent(settling, await readEvent(event))),
      onDeath: () => hear(() => endAllAttendance(settling)),
    })
  // Only one's own database can be another instance's, too.
  const isShared = service.config.databaseUrl !== undefined
  const engine = isShared ? createSharedEngine({ pool, log, machine: machineId, createEngine }) : createEngine(() => {})
  const { settling, media } = put(engine)
  const { rateLimits, trustProxy } = service.config
  const addressOf = createClientAddress(trustProxy)
  const proxy = serveEmbeddedMedia(http, {
    engine,
    mayConnect: createMayConnect(engine, service),
    networkOf: (request) => (rateLimits ? networkOf(addressOf(request)) : undefined),
  })
  const stop = async () => {
    // The engine says goodbye, and what is left of connections is cut.
    await engine.stop()
    proxy.stop()
    await heard
  }
  // A connection that became a WebSocket would hold up the end of the server.
  http.addHook('preClose', stop)
  return { ...media, paths: proxy.paths, stop }
}

async function readEvent(event: unknown) {
  // Loaded with the first call (decision 0106).
  const { WebhookEvent } = await import('@livekit/protocol')
  return WebhookEvent.fromJsonString(JSON.stringify(event), { ignoreUnknownFields: true })
}

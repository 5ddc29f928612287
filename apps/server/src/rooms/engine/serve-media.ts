import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { networkOf } from '../../access/network.ts'
import { createClientAddress } from '../../platform/http/client-address.ts'
import type { ModuleJobs } from '../../platform/jobs/module-jobs.ts'
import type { ReceivedDependencies } from '../dependencies.ts'
import { createEmbeddedMedia } from './embedded-media.ts'
import { createMediaAccess, type MediaAccess } from './media-access.ts'
import { createMediaControl, type MediaControl } from './media-control.ts'
import { livekitMedia, type MediaEngine } from './media-engine.ts'
import { handleMediaEvent, serveMediaEvents } from './media-events.ts'
import { createMayConnect, serveEmbeddedMedia } from './media-proxy.ts'
import {
  createReconcileRoomsOfAccountTask,
  createReconcileRoomsTask,
  createReconcileRoomTask,
  endAllAttendance,
  type ReconcileDependencies,
  reconcileRoomsJob,
} from './reconcile-rooms.ts'
import { createSharedEngine } from './shared-engine.ts'

type Media = {
  engine: MediaEngine
  access: MediaAccess
  control: MediaControl
  jobs: ModuleJobs
  /** End the calls that this process carries. */
  stop(): Promise<void>
}

/** Serve audio and video: by the operator's LiveKit servers if they are configured, else by the embedded engine. */
export function serveMedia(received: ReceivedDependencies): Media {
  const { http, pool, log } = received
  const { livekit } = received.config
  const useEngine = (engine: MediaEngine) => {
    const control = createMediaControl(engine)
    const dependencies: ReconcileDependencies = { ...received, control }
    const jobs: ModuleJobs = {
      tasks: {
        ...createReconcileRoomTask(dependencies),
        ...createReconcileRoomsOfAccountTask(dependencies),
        ...createReconcileRoomsTask({ ...dependencies, engine }),
      },
      minutely: [reconcileRoomsJob.name],
      atStart: [reconcileRoomsJob.name],
    }
    return {
      dependencies,
      media: { engine, control, jobs, access: createMediaAccess(engine, received) },
    }
  }
  if (livekit !== undefined) {
    const engine = livekitMedia(livekit)
    const { dependencies, media } = useEngine(engine)
    serveMediaEvents(http, engine, dependencies)
    return { ...media, stop: async () => {} }
  }

  let lastEvent = Promise.resolve()
  /**
   * Handle events in order, so that a join is recorded before the leave. Reconciliation makes up for failures within a
   * minute.
   */
  const enqueue = (handle: () => Promise<unknown>) => {
    lastEvent = lastEvent.then(handle).then(
      () => {},
      (error) => log.warn({ err: error }, 'an event of the media engine could not be handled'),
    )
  }
  const createEngine = (onAddress: (address: string) => void) =>
    createEmbeddedMedia({
      ...received,
      onAddress,
      onEvent: (event) => enqueue(async () => handleMediaEvent(dependencies, await readEvent(event))),
      onDeath: () => enqueue(() => endAllAttendance(dependencies)),
    })
  // The private database serves one instance only.
  const isShared = received.config.databaseUrl !== undefined
  const engine = isShared ? createSharedEngine({ pool, log, machine: machineId, createEngine }) : createEngine(() => {})
  const { dependencies, media } = useEngine(engine)
  const { rateLimits, trustProxy } = received.config
  const addressOf = createClientAddress(trustProxy)
  const proxy = serveEmbeddedMedia(http, {
    engine,
    mayConnect: createMayConnect(engine, received),
    networkOf: (request) => (rateLimits ? networkOf(addressOf(request)) : undefined),
  })
  const stop = async () => {
    // The engine disconnects its participants first; the proxy then cuts the remaining connections.
    await engine.stop()
    proxy.stop()
    await lastEvent
  }
  // Open WebSockets would keep the server from closing.
  http.addHook('preClose', stop)
  return { ...media, stop }
}

async function readEvent(event: unknown) {
  // Loaded with the first call (test/source/lazy-packages.test.ts).
  const { WebhookEvent } = await import('@livekit/protocol')
  return WebhookEvent.fromJsonString(JSON.stringify(event), { ignoreUnknownFields: true })
}

/**
 * Identify the machine: equal for processes that reach one another over 127.0.0.1, that is, the same kernel boot and
 * network namespace, so that two containers on one machine differ. The host name when the system is not Linux.
 */
async function machineId(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/net')}`
  } catch {
    return hostname()
  }
}

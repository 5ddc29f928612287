import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Service } from '../access/service.ts'
import { createEmbeddedMedia } from './embedded-media.ts'
import { createMediaAccess } from './grant-media.ts'
import { livekitMedia } from './livekit-media.ts'
import { createMayConnect } from './may-connect.ts'
import type { MediaAccess } from './media-access.ts'
import { serveEmbeddedMedia } from './media-proxy.ts'

export type Media = {
  access: MediaAccess
  /** The methods that each address outside the contract takes. */
  paths: Map<string, string[]>
  /** Ends calls that this process carries. */
  stop(): Promise<void>
}

type Means = { http: FastifyInstance; log: Logger }

/** Sound and pictures: LiveKit's servers where the operator has some, else the embedded engine. */
export function serveMedia(service: Service, { http, log }: Means): Media {
  const { livekit } = service.config
  if (livekit !== undefined) {
    const engine = livekitMedia(livekit)
    return { access: createMediaAccess(engine, service), paths: new Map(), stop: async () => {} }
  }
  const engine = createEmbeddedMedia({ ...service, log, onEvent: () => {}, onDeath: () => {} })
  const proxy = serveEmbeddedMedia(http, { engine, mayConnect: createMayConnect(engine) })
  const stop = async () => {
    proxy.stop()
    await engine.stop()
  }
  // A connection that became a WebSocket would hold up the end of the server.
  http.addHook('preClose', stop)
  return { access: createMediaAccess(engine, service), paths: proxy.paths, stop }
}

import type { FastifyInstance } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import { handleMediaEvent } from './handle-media-event.ts'
import type { MediaEngine } from './media-engine.ts'
import type { ReconcileDependencies } from './reconcile-room.ts'

const path = '/media/events'
/** An event has one room and one participant with their tracks. */
const maxEventBytes = 256 * 1024

/**
 * Receive LiveKit's webhooks, signed with the shared API key. The token has the digest of the body, so the raw body is
 * read. LiveKit delivers events again that fail here.
 */
export function serveMediaEvents(
  http: FastifyInstance,
  engine: MediaEngine,
  dependencies: ReconcileDependencies,
): void {
  void http.register(async (events) => {
    events.removeAllContentTypeParsers()
    const raw = { parseAs: 'string', bodyLimit: maxEventBytes } as const
    events.addContentTypeParser(
      ['application/webhook+json', 'application/json'],
      raw,
      async (_: unknown, body: string) => body,
    )
    events.post(path, async (request, reply) => {
      const body = typeof request.body === 'string' ? request.body : ''
      // Loaded with the first call (decision 0106).
      const { WebhookReceiver } = await import('livekit-server-sdk')
      const receiver = new WebhookReceiver(engine.apiKey, engine.apiSecret)
      const event = await receiver.receive(body, request.headers.authorization).catch(() => {
        throw problem('unauthorized')
      })
      await handleMediaEvent(dependencies, event)
      return reply.status(204).send()
    })
  })
}

import type { FastifyInstance } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import { handleMediaEvent } from './handle-media-event.ts'
import type { MediaEngine } from './media-engine.ts'
import type { ReconcileDependencies } from './reconcile-room.ts'

const path = '/media/events'
/** A report holds one room and one person with their tracks. */
const maxReportBytes = 256 * 1024

/**
 * Where LiveKit reports, signed with the key that we share: its token names the digest of the body, so the body is read as
 * it came. What fails here is reported again by LiveKit.
 */
export function serveMediaEvents(
  http: FastifyInstance,
  engine: MediaEngine,
  means: ReconcileDependencies,
): Map<string, string[]> {
  void http.register(async (events) => {
    events.removeAllContentTypeParsers()
    const raw = { parseAs: 'string', bodyLimit: maxReportBytes } as const
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
      await handleMediaEvent(means, event)
      return reply.status(204).send()
    })
  })
  return new Map([[path, ['POST']]])
}

import { after } from 'node:test'
import { startLivekit } from './livekit.ts'

/**
 * The tests of the media engine with livekit-client in Chromium, unchanged, with a real LiveKit in place of the engine.
 */

// Webhooks are tested elsewhere, with a Parley that receives them.
const livekit = await startLivekit({ webhookUrl: 'http://127.0.0.1:9/nobody' })
after(() => livekit[Symbol.asyncDispose]())
process.env.MEDIA_TEST_URL = livekit.nodes[0].url
process.env.MEDIA_TEST_KEY = livekit.apiKey
process.env.MEDIA_TEST_SECRET = livekit.apiSecret

await import('../../e2e/media/media-call.story.ts')
await import('../../e2e/media/media-control.story.ts')
await import('../../e2e/media/media-reconnect.story.ts')

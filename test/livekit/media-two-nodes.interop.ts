import assert from 'node:assert/strict'
import { after } from 'node:test'
import { startLivekit } from './livekit.ts'

/**
 * The same with two nodes that share a Redis. Connections alternate between them, so that the participants of a room
 * are on both.
 */

const livekit = await startLivekit({ webhookUrl: 'http://127.0.0.1:9/nobody', nodes: 2 })
process.env.MEDIA_TEST_URL = livekit.url
process.env.MEDIA_TEST_KEY = livekit.apiKey
process.env.MEDIA_TEST_SECRET = livekit.apiSecret

after(async () => {
  await using _ = livekit
  for (const node of livekit.nodes) assert.ok((await node.count('participant_join_total', 'signal_connected')) > 1)
})

await import('../../e2e/media/media-call.story.ts')
await import('../../e2e/media/media-control.story.ts')

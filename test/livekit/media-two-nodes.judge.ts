import assert from 'node:assert/strict'
import { after } from 'node:test'
import { startLivekit } from './livekit.ts'

/** The same with two nodes that share a Redis: connections go to one and the other in turn, so that the people of a room are on both. */

const livekit = await startLivekit({ tellAt: 'http://127.0.0.1:9/nobody', nodes: 2 })
after(() => livekit[Symbol.asyncDispose]())
process.env.MEDIA_TEST_URL = livekit.nodes.map(({ url }) => url).join()
process.env.MEDIA_TEST_KEY = livekit.apiKey
process.env.MEDIA_TEST_SECRET = livekit.apiSecret

await import('../../e2e/media-call.test.ts')
await import('../../e2e/media-control.test.ts')

after(() => {
  for (const { process: node } of livekit.nodes) assert.match(node.output(), /new client WS connected/)
})

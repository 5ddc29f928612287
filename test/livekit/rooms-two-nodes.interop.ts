/** The same with two nodes that share a Redis; the participants of a room connect to both. */
process.env.PARLEY_TEST_MEDIA = 'livekit-two-nodes'
await import('../../e2e/rooms/joins-a-room.story.ts')

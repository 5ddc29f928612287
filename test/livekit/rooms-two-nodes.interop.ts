/** The same with two nodes that share a Redis, where the people of a room come in by both. */
process.env.PARLEY_TEST_MEDIA = 'livekit-two-nodes'
await import('../../e2e/rooms/joins-a-room.story.ts')

/** The stories of rooms, from the lobby to the end, in browsers: with a real LiveKit in place of the embedded engine. */
process.env.PARLEY_TEST_MEDIA = 'livekit'
await import('../../e2e/rooms/joins-a-room.story.ts')

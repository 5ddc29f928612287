/** The stories of rooms in browsers, from the lobby to the end, with a real LiveKit in place of the embedded engine. */
process.env.PARLEY_TEST_MEDIA = 'livekit'
await import('../../e2e/rooms/joins-a-room.story.ts')

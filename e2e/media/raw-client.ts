import { createRequire } from 'node:module'
import type * as Livekit from 'livekit-client'
import type { Person } from '../../apps/server/test/people.ts'
import type { RoomStory } from '../rooms/start-room-story.ts'

const livekitClient = createRequire(import.meta.url)
  .resolve('livekit-client')
  .replace('.esm.mjs', '.umd.js')

export type RawClient = {
  connect(token: string): Promise<'connected' | 'refused'>
  /** The server may disconnect a participant after joining. */
  isInside(): Promise<boolean>
  /** Publish the microphone under another source. */
  publishMicrophoneAs(source: string): Promise<'published' | 'refused'>
}

/** LiveKit's unmodified client with a participant's token, without our client's checks. */
export async function openRawPage(story: RoomStory, person: Person): Promise<RawClient> {
  const { page } = await story.openPage({ person, bypassCSP: true, expected: /./ })
  await page.goto('/healthz')
  await page.addScriptTag({ path: livekitClient })
  await page.evaluate(() => {
    const { Room, setLogLevel }: typeof Livekit = Object(globalThis).LivekitClient
    setLogLevel('silent')
    Object.assign(globalThis, { raw: new Room() })
  })
  return {
    connect: (token) =>
      page.evaluate(
        async ([url, text]) => {
          const room: Livekit.Room = Object(globalThis).raw
          return room.connect(url, text, { maxRetries: 0 }).then(
            () => 'connected' as const,
            () => 'refused' as const,
          )
        },
        [story.mediaUrl, token] as const,
      ),
    isInside: () => page.evaluate(() => (Object(globalThis).raw as Livekit.Room).state !== 'disconnected'),
    publishMicrophoneAs: (source) =>
      page.evaluate(async (name) => {
        const room: Livekit.Room = Object(globalThis).raw
        const { localParticipant } = room
        // Bypass the client's own check, to test the server's.
        Object.assign(localParticipant, { hasPermissionsToPublish: () => true })
        const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
        const [track] = stream.getAudioTracks()
        if (track === undefined) throw new Error('There is no microphone')
        return localParticipant.publishTrack(track, { source: name as Livekit.Track.Source }).then(
          () => 'published' as const,
          () => 'refused' as const,
        )
      }, source),
  }
}

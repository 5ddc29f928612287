import type { Room } from 'livekit-client'
import type { Received, Source } from './start-media-story.ts'

declare global {
  /** The API of media-page.js. */
  const media: {
    room: Room
    events: string[]
    messages: { text: string; from: string | undefined; topic: string | undefined }[]
    /** The reasons of disconnections. */
    left: number[]
    received(identity: string, source: Source): Promise<Received>
    sent(rid: string): Promise<{ bitsPerSecond: number }>
    colours(identity: string, source: Source): number
  }
}

import type { RoomRole } from '@parley/contract'

/** Sound or pictures that an element of the page can play. */
export type Playable = { attach(element: HTMLMediaElement): void; detach(element: HTMLMediaElement): void }

export type Quality = 'good' | 'poor' | 'lost' | 'unknown'

/** Somebody inside, as the page shows them. */
export type Person = {
  /** The id of the admission: what a host's deeds name. */
  id: string
  name: string
  role: RoomRole
  own: boolean
  joinedAtMs: number
  speaking: boolean
  quality: Quality
  microphoneOn: boolean
  sounds: readonly Playable[]
  camera: Playable | undefined
  screen: Playable | undefined
}

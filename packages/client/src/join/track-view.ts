import type { Track } from 'livekit-client'
import type { RoomTrack } from './room.ts'

/** Return the same view for the same track, so that a list attaches it once. */
export function createTrackViews(): (track: Track) => RoomTrack {
  const views = new WeakMap<Track, RoomTrack>()
  return (track) => {
    const known = views.get(track)
    if (known !== undefined) return known
    const view: RoomTrack = {
      attach(element) {
        track.attach(element)
        return () => void track.detach(element)
      },
    }
    views.set(track, view)
    return view
  }
}

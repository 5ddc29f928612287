import type { RoomTrack } from '@parley/client/join'
import { useEffect, useRef } from 'react'
import { useSnapshot } from '../room-context.ts'

/** Everybody else's voices, and the sound of what they share, whoever is in sight. */
export function PlayedSounds() {
  const { others } = useSnapshot()
  return others.flatMap(({ id, microphone, screenAudio }) => [
    ...(microphone === null ? [] : [<PlayedSound key={`${id} microphone`} sound={microphone} />]),
    ...(screenAudio === null ? [] : [<PlayedSound key={`${id} screen`} sound={screenAudio} />]),
  ])
}

function PlayedSound({ sound }: { sound: RoomTrack }) {
  const audio = useRef<HTMLAudioElement>(null)
  useEffect(() => (audio.current === null ? undefined : sound.attach(audio.current)), [sound])
  // biome-ignore lint/a11y/useMediaCaption: it is live
  return <audio ref={audio} autoPlay />
}

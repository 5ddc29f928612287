import type { RoomTrack } from '@parley/client/join'
import { useEffect, useRef } from 'react'
import { useSnapshot } from '../room-context.ts'

/** Play the audio of all other participants, shown or not. */
export function AudioPlayers() {
  const { others } = useSnapshot()
  return others.flatMap(({ id, microphone, screenAudio }) => [
    ...(microphone === null ? [] : [<PlayedSound key={`${id} microphone`} sound={microphone} />]),
    ...(screenAudio === null ? [] : [<PlayedSound key={`${id} screen`} sound={screenAudio} />]),
  ])
}

function PlayedSound({ sound }: { sound: RoomTrack }) {
  const audio = useRef<HTMLAudioElement>(null)
  useEffect(() => (audio.current === null ? undefined : sound.attach(audio.current)), [sound])
  // biome-ignore lint/a11y/useMediaCaption: live audio has no captions
  return <audio ref={audio} autoPlay />
}

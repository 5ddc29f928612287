import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useRef } from 'react'

const firstToneHz = 880
const secondToneHz = 660
const toneSeconds = 0.25
const loudness = 0.12

/** Whether it rings when somebody comes to the door; kept in this browser. */
export const useBellSetting = () =>
  useLocalStorage({ key: 'parley-bell', defaultValue: true, getInitialValueInEffect: false })

/** Rings when somebody has come to the door who did not wait there before. */
export function useBell(waiting: readonly { admissionId: string }[]): void {
  const [wanted] = useBellSetting()
  const known = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const ids = new Set(waiting.map(({ admissionId }) => admissionId))
    const somebodyCame = [...ids].some((id) => !known.current.has(id))
    known.current = ids
    if (somebodyCame && wanted) ring()
  }, [waiting, wanted])
}

/** Two falling tones, made here: no file has to be fetched for them. */
function ring(): void {
  const audio = new AudioContext()
  const volume = new GainNode(audio, { gain: 0 })
  volume.connect(audio.destination)
  for (const [index, frequency] of [firstToneHz, secondToneHz].entries()) {
    const from = audio.currentTime + index * toneSeconds
    const tone = new OscillatorNode(audio, { frequency })
    tone.connect(volume)
    volume.gain.setValueAtTime(loudness, from)
    volume.gain.exponentialRampToValueAtTime(0.001, from + toneSeconds)
    tone.start(from)
    tone.stop(from + toneSeconds)
    if (index === 1) tone.onended = () => void audio.close()
  }
}

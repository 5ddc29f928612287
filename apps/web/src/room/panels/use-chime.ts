import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useRef } from 'react'

/** In hertz: falling for a waiting person, rising for a raised hand. */
export const waitingTones = [880, 660] as const
export const handTones = [523, 784] as const

const toneSeconds = 0.25
const loudness = 0.12

/** Whether a host hears a chime for waiting people and raised hands; stored in this browser. */
export const useChimeSetting = () =>
  useLocalStorage({ key: 'parley-bell', defaultValue: true, getInitialValueInEffect: false })

/** Play the tones when a new id appears. */
export function useChime(ids: readonly string[], tones: readonly number[]): void {
  const [wanted] = useChimeSetting()
  const known = useRef<ReadonlySet<string>>(new Set())
  const all = ids.join(' ')
  useEffect(() => {
    const now = new Set(all.split(' ').filter(Boolean))
    const isNew = !now.isSubsetOf(known.current)
    known.current = now
    if (isNew && wanted) play(tones)
  }, [all, tones, wanted])
}

/** Synthesized, so that no file has to be fetched. */
function play(tones: readonly number[]): void {
  const audio = new AudioContext()
  const volume = new GainNode(audio, { gain: 0 })
  volume.connect(audio.destination)
  for (const [index, frequency] of tones.entries()) {
    const from = audio.currentTime + index * toneSeconds
    const tone = new OscillatorNode(audio, { frequency })
    tone.connect(volume)
    volume.gain.setValueAtTime(loudness, from)
    volume.gain.exponentialRampToValueAtTime(0.001, from + toneSeconds)
    tone.start(from)
    tone.stop(from + toneSeconds)
    if (index === tones.length - 1) tone.onended = () => void audio.close()
  }
}

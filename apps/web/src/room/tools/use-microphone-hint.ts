import { useEffect, useRef, useState } from 'react'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { useVisited } from '../room-context.ts'
import { createMicrophoneWatch, type MicrophoneHint } from './microphone-watch.ts'

const everyMs = 100

type Level = { read(): number | undefined; stop(): void }

/** Measure a copy of the track, which hears also while the track itself is muted. */
function measure(track: MediaStreamTrack): Level {
  const copy = track.clone()
  copy.enabled = true
  const audio = new AudioContext()
  const analyser = new AnalyserNode(audio, { fftSize: 2048 })
  const source = new MediaStreamAudioSourceNode(audio, { mediaStream: new MediaStream([copy]) })
  source.connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    read() {
      if (audio.state !== 'running') return undefined
      analyser.getFloatTimeDomainData(samples)
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
    },
    stop() {
      copy.stop()
      source.disconnect()
      void audio.close()
    },
  }
}

/**
 * Whether the caller speaks while muted, or sends nothing while unmuted. Only a microphone that was switched on in the
 * call is listened to, and its sound does not leave the page.
 */
export function useMicrophoneHint(muted: boolean): MicrophoneHint | undefined {
  const { room } = useVisited()
  const [hint, setHint] = useState<MicrophoneHint>()
  const isMuted = useRef(muted)
  isMuted.current = muted
  useEffect(() => {
    const watch = createMicrophoneWatch()
    let measured: { track: MediaStreamTrack; level: Level } | undefined
    const listen = () => {
      const track = room.microphoneTrack()
      if (track !== measured?.track) {
        measured?.level.stop()
        measured = track === undefined ? undefined : { track, level: measure(track) }
      }
      const level = measured?.level.read()
      setHint(level === undefined ? undefined : watch({ level, muted: isMuted.current, atMs: readClockMs() }))
    }
    const timer = setInterval(listen, everyMs)
    return () => {
      clearInterval(timer)
      measured?.level.stop()
    }
  }, [room])
  return hint
}

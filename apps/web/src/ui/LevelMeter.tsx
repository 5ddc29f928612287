import { useEffect, useRef } from 'react'
import classes from './LevelMeter.module.css'

/** Often enough to follow a voice. */
const measureEveryMs = 80
/** The level of ordinary speech, which fills the bar. */
const loudness = 3

type LevelMeterProps = { stream: MediaStream | undefined; label: string }

/** The current level of a microphone. Updates the DOM directly, without rendering. */
export function LevelMeter({ stream, label }: LevelMeterProps) {
  const meter = useRef<HTMLMeterElement>(null)
  useEffect(() => {
    if (stream === undefined) return
    const audio = new AudioContext()
    const analyser = new AnalyserNode(audio, { fftSize: 512 })
    const source = new MediaStreamAudioSourceNode(audio, { mediaStream: stream })
    source.connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples)
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      if (meter.current !== null) meter.current.value = Math.min(1, Math.sqrt(power) * loudness)
    }, measureEveryMs)
    return () => {
      clearInterval(timer)
      source.disconnect()
      void audio.close()
    }
  }, [stream])
  return <meter ref={meter} className={classes.meter} aria-label={label} min={0} max={1} />
}

import { useEffect, useRef } from 'react'
import classes from './LevelMeter.module.css'

/** Often enough to follow a voice. */
const measureEveryMs = 80
/** The level of ordinary speech fills the bar. */
const loudness = 3

type LevelMeterProps = { stream: MediaStream | undefined; label: string }

/** How loud a microphone is right now. It is drawn past React, which has no part in it. */
export function LevelMeter({ stream, label }: LevelMeterProps) {
  const meter = useRef<HTMLDivElement>(null)
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
      const percent = Math.round(Math.min(1, Math.sqrt(power) * loudness) * 100)
      meter.current?.style.setProperty('--level', `${percent}%`)
      meter.current?.setAttribute('aria-valuenow', String(percent))
    }, measureEveryMs)
    return () => {
      clearInterval(timer)
      source.disconnect()
      void audio.close()
    }
  }, [stream])
  return (
    <div
      ref={meter}
      className={classes.meter}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
    />
  )
}

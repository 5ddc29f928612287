import type { ProcessedTrack } from '@parley/client/join'
import { useEffect, useRef, useState } from 'react'
import type { BackgroundName } from '../effects/background.ts'
import type { EffectEnd } from '../effects/background-messages.ts'
import { backgroundEffect } from '../effects/effects.ts'

type Shown = { stream: MediaStream | undefined; isCurrent: boolean }
type Processed = { raw: MediaStream; name: BackgroundName; stream: MediaStream; track: ProcessedTrack }

/**
 * The camera's preview with the chosen background, which is what others will see. The stream is undefined until the first
 * one is ready; another choice leaves the last one in place until it is. `onEnd` is called when it ends by itself, or
 * does not start.
 */
export function useBackgroundPreview(
  raw: MediaStream | undefined,
  name: BackgroundName,
  onEnd: (reason: EffectEnd) => void,
): Shown {
  const [shown, setShown] = useState<Processed>()
  const latest = useRef<Processed>(undefined)
  const ended = useRef(onEnd)
  ended.current = onEnd
  useEffect(() => {
    const replace = (next: Processed | undefined) => {
      const before = latest.current
      latest.current = next
      setShown(next)
      void before?.track.stop()
    }
    const [camera] = raw?.getVideoTracks() ?? []
    const effect = backgroundEffect(name, (reason) => ended.current(reason))
    if (raw === undefined || camera === undefined || effect === null) return replace(undefined)
    let gone = false
    effect.process(camera).then(
      (track) => {
        if (gone) return void track.stop()
        replace({ raw, name, track, stream: new MediaStream([track.track]) })
      },
      () => !gone && ended.current('failed'),
    )
    return () => {
      gone = true
    }
  }, [raw, name])
  useEffect(() => () => void latest.current?.track.stop(), [])
  if (name === 'none') return { stream: raw, isCurrent: true }
  return {
    stream: shown?.raw === raw ? shown?.stream : undefined,
    isCurrent: shown?.raw === raw && shown?.name === name,
  }
}

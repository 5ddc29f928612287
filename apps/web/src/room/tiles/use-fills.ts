import { useEffect, useRef, useState } from 'react'
import { mayFill } from './fit-video.ts'

/** Whether the video may fill its element, as both change their sizes. */
export function useFills(video: { current: HTMLVideoElement | null }, onRatio?: (ratio: number) => void): boolean {
  const [fills, setFills] = useState(true)
  const report = useRef(onRatio)
  report.current = onRatio
  useEffect(() => {
    const element = video.current
    if (element === null) return
    const measure = () => {
      const { videoWidth, videoHeight, clientWidth, clientHeight } = element
      if (videoWidth === 0 || videoHeight === 0) return
      const ratio = videoWidth / videoHeight
      report.current?.(ratio)
      if (clientWidth > 0 && clientHeight > 0) setFills(mayFill(ratio, clientWidth / clientHeight))
    }
    const sizes = new ResizeObserver(measure)
    const gone = new AbortController()
    sizes.observe(element)
    for (const changed of ['loadedmetadata', 'resize'] as const) element.addEventListener(changed, measure, gone)
    return () => {
      sizes.disconnect()
      gone.abort()
    }
  }, [video])
  return fills
}

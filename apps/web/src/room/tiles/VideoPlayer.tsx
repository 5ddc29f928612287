import type { RoomTrack } from '@parley/client/join'
import { useEffect, useRef } from 'react'
import classes from './TileView.module.css'
import { useFills } from './use-fills.ts'

type VideoPlayerProps = {
  picture: RoomTrack
  label: string
  /** Never cut off anything. */
  whole: boolean
  mirrored: boolean
  /** The ratio of width to height, once it is known and when it changes, as with a phone that is turned. */
  onRatio?(ratio: number): void
}

/** Play a camera or a shared screen. The server stops sending video that is not on the page. */
export function VideoPlayer({ picture, label, whole, mirrored, onRatio }: VideoPlayerProps) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => (video.current === null ? undefined : picture.attach(video.current)), [picture])
  const fills = useFills(video, onRatio)
  return (
    <video
      ref={video}
      className={classes.picture}
      data-whole={whole || !fills}
      data-mirrored={mirrored}
      aria-label={label}
      autoPlay
      playsInline
      muted
    />
  )
}

import type { RoomTrack } from '@parley/client/join'
import { useEffect, useRef } from 'react'
import classes from './VideoPlayer.module.css'

type VideoPlayerProps = { picture: RoomTrack; label: string; whole: boolean; mirrored: boolean }

/** Play a camera or a shared screen. The server stops sending video that is not on the page. */
export function VideoPlayer({ picture, label, whole, mirrored }: VideoPlayerProps) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => (video.current === null ? undefined : picture.attach(video.current)), [picture])
  return (
    <video
      ref={video}
      className={classes.picture}
      data-whole={whole}
      data-mirrored={mirrored}
      aria-label={label}
      autoPlay
      playsInline
      muted
    />
  )
}

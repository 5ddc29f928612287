import type { RoomTrack } from '@parley/client/join'
import { useEffect, useRef } from 'react'
import classes from './PlayedPicture.module.css'

type PlayedPictureProps = { picture: RoomTrack; label: string; whole: boolean; mirrored: boolean }

/** A camera's or a screen's picture. What is not on the page is not played, and the server sends it no further. */
export function PlayedPicture({ picture, label, whole, mirrored }: PlayedPictureProps) {
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

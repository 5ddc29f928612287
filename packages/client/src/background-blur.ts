/**
 * Background blur is what the camera or the operating system does (Media Capture and Streams Extensions, backgroundBlur):
 * no model is fetched. TypeScript does not know the constraint yet.
 */
type BlurCapabilities = MediaTrackCapabilities & { backgroundBlur?: readonly boolean[] }
type BlurConstraints = MediaTrackConstraints & { backgroundBlur?: boolean }

/** Whether this camera can be switched to a blurred background and back. */
export function canBlurBackground(track: MediaStreamTrack): boolean {
  // Absent in Firefox before 132.
  const { backgroundBlur = [] } = (track.getCapabilities?.() ?? {}) as BlurCapabilities
  return backgroundBlur.includes(true) && backgroundBlur.includes(false)
}

/** Switch it, where the camera can. What else was asked of the track stays. */
export async function blurBackground(track: MediaStreamTrack, on: boolean): Promise<void> {
  if (!canBlurBackground(track)) return
  const constraints: BlurConstraints = { ...track.getConstraints(), backgroundBlur: on }
  await track.applyConstraints(constraints)
}

/**
 * Background blur by the camera or the operating system (Media Capture and Streams Extensions, backgroundBlur): no
 * model is downloaded. TypeScript does not know the constraint yet.
 */
type BlurCapabilities = MediaTrackCapabilities & { backgroundBlur?: readonly boolean[] }
type BlurConstraints = MediaTrackConstraints & { backgroundBlur?: boolean }

/** Whether the camera can switch between a blurred and a plain background. */
export function canBlurBackground(track: MediaStreamTrack): boolean {
  // Absent in Firefox before 132.
  const { backgroundBlur = [] } = (track.getCapabilities?.() ?? {}) as BlurCapabilities
  return backgroundBlur.includes(true) && backgroundBlur.includes(false)
}

/** Switch the blur, where the camera supports it. The track's other constraints stay. */
export async function blurBackground(track: MediaStreamTrack, on: boolean): Promise<void> {
  if (!canBlurBackground(track)) return
  const constraints: BlurConstraints = { ...track.getConstraints(), backgroundBlur: on }
  await track.applyConstraints(constraints)
}

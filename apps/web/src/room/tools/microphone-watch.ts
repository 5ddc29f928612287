/** What the sound of a microphone says about its state. */
export type MicrophoneHint = 'silent' | 'speaksMuted'

type Measurement = {
  /** The root mean square of the samples, from 0 to 1. */
  level: number
  muted: boolean
  atMs: number
}

/** About the level of a person who speaks; a room with a fan is below it. */
const speechLevel = 0.02
/** Speech lasts; a cough, a knock or a key does not fill so much of a second. */
const speechShare = 0.6
const speechMs = 1_000
/** The noise of every real microphone is above it; what is below is digital silence. */
const silenceLevel = 0.00003
/** A pause in the sound of a driver is shorter. */
const silentForMs = 8_000
const hintMs = 6_000

/** Return a function that takes a measurement, a few times a second, and says which hint applies. */
export function createMicrophoneWatch(): (measurement: Measurement) => MicrophoneHint | undefined {
  let recent: Measurement[] = []
  let silentSinceMs: number | undefined
  let hintUntilMs = 0
  return (measurement) => {
    const { level, muted, atMs } = measurement
    recent = [...recent.filter((one) => one.muted === muted && atMs - one.atMs < speechMs), measurement]
    if (muted) {
      silentSinceMs = undefined
      const spoken = recent.filter((one) => one.level > speechLevel).length
      const isWhole = atMs - (recent[0]?.atMs ?? atMs) > speechMs * speechShare
      if (isWhole && spoken / recent.length >= speechShare) hintUntilMs = atMs + hintMs
      return atMs < hintUntilMs ? 'speaksMuted' : undefined
    }
    hintUntilMs = 0
    if (level > silenceLevel) silentSinceMs = undefined
    else silentSinceMs ??= atMs
    return silentSinceMs !== undefined && atMs - silentSinceMs >= silentForMs ? 'silent' : undefined
  }
}

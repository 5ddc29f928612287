import type { TrackEffect } from '@parley/client/join'
import type { BackgroundName } from './background.ts'
import type { EffectEnd } from './background-messages.ts'

/** The effect of a background; its code and model are loaded with the first camera. Null where nothing is changed. */
export function backgroundEffect(name: BackgroundName, onEnd: (reason: EffectEnd) => void): TrackEffect | null {
  if (name === 'none') return null
  return {
    process: async (track) =>
      (await import('./background-effect.ts')).createBackgroundEffect(name, onEnd).process(track),
  }
}

/** Noise reduction; its code and model are loaded with the first microphone. Null where nothing is changed. */
export function noiseEffect(on: boolean, onEnd: (reason: EffectEnd) => void): TrackEffect | null {
  if (!on) return null
  return { process: async (track) => (await import('./noise-effect.ts')).createNoiseEffect(onEnd).process(track) }
}

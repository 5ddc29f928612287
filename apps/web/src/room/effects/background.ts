/** The pictures that Parley draws itself, in the order of the choice. */
export const pictures = ['dusk', 'meadow', 'waves', 'paper'] as const
export type Picture = (typeof pictures)[number]

export const backgroundNames = ['none', 'light', 'strong', ...pictures, 'own'] as const
/** What stands behind a person: nothing is changed, blur of two strengths, a picture, or an image of their own. */
export type BackgroundName = (typeof backgroundNames)[number]

export const isBackgroundName = (value: unknown): value is BackgroundName =>
  backgroundNames.some((name) => name === value)

/** Whether this browser can replace a background. */
export const canReplaceBackground = (): boolean =>
  typeof Worker === 'function' && typeof OffscreenCanvas === 'function' && typeof WebAssembly === 'object'

/** Whether this browser can reduce noise. */
export const canReduceNoise = (): boolean => typeof AudioWorkletNode === 'function' && typeof WebAssembly === 'object'

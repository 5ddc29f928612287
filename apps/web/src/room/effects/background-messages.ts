import type { Picture } from './background.ts'

/** How a background is drawn. */
export type Look = { blur: 'light' | 'strong' } | { picture: Picture } | { image: ImageBitmap }

/**
 * What the page tells the worker. With streams, the worker reads and writes pictures itself; without, the page sends a
 * picture each time that it is asked for the next one.
 */
export type ToWorker =
  | {
      kind: 'open'
      session: number
      look: Look
      streams?: { from: ReadableStream<VideoFrame>; to: WritableStream<VideoFrame> }
    }
  | { kind: 'picture'; session: number; picture: ImageBitmap }
  | { kind: 'close'; session: number }

export type FromWorker =
  /** The model is loaded. */
  | { kind: 'opened'; session: number }
  | { kind: 'next'; session: number }
  | { kind: 'picture'; session: number; picture: ImageBitmap }
  /** The background can no longer be replaced, and no more pictures come. */
  | { kind: 'ended'; session: number; reason: EffectEnd }

/** The machine is too slow, or something failed. */
export type EffectEnd = 'slow' | 'failed'

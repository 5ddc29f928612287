import type { EffectEnd, FromWorker, ToWorker } from './background-messages.ts'
import { type Compositor, createCompositor } from './compositor.ts'
import { createLoadWatch, pictureBudgetMs } from './load-watch.ts'
import { loadSegmenter } from './segmenter.ts'

/**
 * Replaces backgrounds, apart from the page: a picture takes longer than the page may be held up. A picture that cannot
 * be processed is dropped, never passed on as it is.
 */

/** Thirty pictures a second are enough for a talking person. */
const shortestMs = 1000 / 30
/** One failure can be a picture without content; more of them in a row are a fault. */
const maxFailures = 10

type Session = { end(): void; take(picture: ImageBitmap): void }
const sessions = new Map<number, Session>()
const scope = self as unknown as { postMessage(message: FromWorker, transfer?: Transferable[]): void }
const post = (message: FromWorker, transfer: Transferable[] = []) => scope.postMessage(message, transfer)

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'open') void open(data)
  else if (data.kind === 'close') sessions.get(data.session)?.end()
  else sessions.get(data.session)?.take(data.picture)
})

async function open({ session, look, streams }: Extract<ToWorker, { kind: 'open' }>) {
  const over = new AbortController()
  const end = () => {
    over.abort()
    sessions.delete(session)
  }
  const endWith = (reason: EffectEnd) => {
    if (over.signal.aborted) return
    end()
    post({ kind: 'ended', session, reason })
  }
  let resume: (picture: ImageBitmap) => void = (picture) => picture.close()
  sessions.set(session, { end, take: (picture) => resume(picture) })
  try {
    const compositor = createCompositor(look, (upright) => loadSegmenter(upright ? 'upright' : 'landscape'))
    await loadSegmenter('landscape')
    if (over.signal.aborted) return
    const compose = watched(compositor, endWith)
    post({ kind: 'opened', session })
    if (streams !== undefined) return await throughStreams(streams, compose, over.signal)
    resume = (picture) => void answer(session, picture, compose, over.signal)
    post({ kind: 'next', session })
  } catch {
    endWith('failed')
  }
}

type Sized = CanvasImageSource & { close(): void }
type Compose = (picture: Sized, width: number, height: number) => Promise<OffscreenCanvas | undefined>

/** Compose, release the picture, and end the session of a slow machine or after many failures. */
function watched(compositor: Compositor, endWith: (reason: EffectEnd) => void): Compose {
  const watch = createLoadWatch(performance.now(), pictureBudgetMs)
  let failures = 0
  return async (picture, width, height) => {
    const began = performance.now()
    try {
      const canvas = await compositor.compose(picture, width, height)
      failures = 0
      const now = performance.now()
      if (watch.add(now, now - began)) endWith('slow')
      return canvas
    } catch {
      failures += 1
      if (failures > maxFailures) endWith('failed')
      return undefined
    } finally {
      picture.close()
    }
  }
}

/** Pictures that come while one is processed are dropped by the source, which holds one. */
async function throughStreams(
  { from, to }: { from: ReadableStream<VideoFrame>; to: WritableStream<VideoFrame> },
  compose: Compose,
  signal: AbortSignal,
) {
  let last = 0
  const replace = new TransformStream<VideoFrame, VideoFrame>({
    async transform(frame, controller) {
      // In microseconds. The clock of a camera is not exact.
      if (signal.aborted || frame.timestamp - last < shortestMs * 1000 * 0.8) return frame.close()
      last = frame.timestamp
      const { displayWidth, displayHeight, timestamp } = frame
      const canvas = await compose(frame, displayWidth, displayHeight)
      if (canvas !== undefined && !signal.aborted) controller.enqueue(new VideoFrame(canvas, { timestamp }))
    },
  })
  // The streams break when the camera is switched off, or the effect ends.
  await from
    .pipeThrough(replace, { signal })
    .pipeTo(to, { signal })
    .catch(() => {})
}

async function answer(session: number, picture: ImageBitmap, compose: Compose, signal: AbortSignal) {
  const began = performance.now()
  const canvas = await compose(picture, picture.width, picture.height)
  if (signal.aborted) return
  if (canvas !== undefined) {
    const composed = canvas.transferToImageBitmap()
    post({ kind: 'picture', session, picture: composed }, [composed])
  }
  setTimeout(
    () => !signal.aborted && post({ kind: 'next', session }),
    Math.max(0, shortestMs - (performance.now() - began)),
  )
}

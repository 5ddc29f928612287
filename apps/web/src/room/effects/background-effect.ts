import { blurBackground, canBlurBackground } from '@parley/client/background-blur'
import type { ProcessedTrack, TrackEffect } from '@parley/client/join'
import { type BackgroundName, canReplaceBackground, pictures } from './background.ts'
import type { EffectEnd, FromWorker, Look, ToWorker } from './background-messages.ts'
import { findOwnImage } from './own-image.ts'

/** Loading the model takes one second from a near server; a slow line may take a while for three megabytes. */
const startLimitMs = 60_000
/** The worker holds about 60 MB; a person who tries one background after another does not wait for each. */
const idleMs = 10_000

/**
 * Replace the background of a camera. `onEnd` is called when it ends by itself; no more pictures come then, so that
 * no one sees a room that was hidden.
 */
export function createBackgroundEffect(
  name: Exclude<BackgroundName, 'none'>,
  onEnd: (reason: EffectEnd) => void,
): TrackEffect {
  return {
    async process(track) {
      if (name === 'light' && canBlurBackground(track)) return blurByCamera(track)
      if (!canReplaceBackground()) throw new Error('This browser cannot replace a background.')
      return processInWorker(track, await lookOf(name), onEnd)
    },
  }
}

async function lookOf(name: Exclude<BackgroundName, 'none'>): Promise<Look> {
  if (name === 'light' || name === 'strong') return { blur: name }
  const picture = pictures.find((one) => one === name)
  if (picture !== undefined) return { picture }
  const image = await findOwnImage()
  if (image === undefined) throw new Error('The image is no longer kept on this device.')
  return { image: await createImageBitmap(image) }
}

/** How many effects want each camera to blur: one begins before the one before it ends. */
const blurring = new WeakMap<MediaStreamTrack, number>()

async function blurByCamera(track: MediaStreamTrack): Promise<ProcessedTrack> {
  await blurBackground(track, true)
  blurring.set(track, (blurring.get(track) ?? 0) + 1)
  return {
    track,
    async stop() {
      const left = (blurring.get(track) ?? 1) - 1
      blurring.set(track, left)
      if (left === 0 && track.readyState === 'live') await blurBackground(track, false)
    },
  }
}

type Session = { onMessage(message: FromWorker): void; onFailure(): void }

const shared: { worker?: Worker | undefined; idle?: ReturnType<typeof setTimeout>; lastSession: number } = {
  lastSession: 0,
}
const sessions = new Map<number, Session>()

function startWorker(): Worker {
  clearTimeout(shared.idle)
  if (shared.worker !== undefined) return shared.worker
  const started = new Worker(new URL('./background-wasm-worker.ts', import.meta.url), { type: 'module' })
  shared.worker = started
  started.addEventListener('message', ({ data }: MessageEvent<FromWorker>) =>
    sessions.get(data.session)?.onMessage(data),
  )
  started.addEventListener('error', () => {
    if (shared.worker === started) shared.worker = undefined
    started.terminate()
    for (const { onFailure } of [...sessions.values()]) onFailure()
  })
  return started
}

function endSession(session: number) {
  sessions.delete(session)
  shared.worker?.postMessage({ kind: 'close', session } satisfies ToWorker)
  if (sessions.size > 0) return
  clearTimeout(shared.idle)
  shared.idle = setTimeout(() => {
    shared.worker?.terminate()
    shared.worker = undefined
  }, idleMs)
}

async function processInWorker(
  track: MediaStreamTrack,
  look: Look,
  onEnd: (reason: EffectEnd) => void,
): Promise<ProcessedTrack> {
  const started = startWorker()
  shared.lastSession += 1
  const session = shared.lastSession
  const { processed, streams, onMessage = () => {}, release } = await connect(track, started, session)
  const stop = () => {
    endSession(session)
    release()
  }
  return new Promise((resolve, reject) => {
    let opened = false
    const end = (reason: EffectEnd) => {
      clearTimeout(limit)
      if (!sessions.has(session)) return
      stop()
      if (opened) onEnd(reason)
      else reject(new Error('The background could not be replaced.'))
    }
    const limit = setTimeout(() => end('failed'), startLimitMs)
    sessions.set(session, {
      onFailure: () => end('failed'),
      onMessage(message) {
        if (message.kind === 'ended') return end(message.reason)
        if (message.kind !== 'opened') return onMessage(message)
        clearTimeout(limit)
        opened = true
        resolve({ track: processed, stop })
      },
    })
    const open: ToWorker = { kind: 'open', session, look, ...(streams && { streams }) }
    const transferred: Transferable[] = streams === undefined ? [] : [streams.from, streams.to]
    started.postMessage(open, 'image' in look ? [...transferred, look.image] : transferred)
  })
}

type Connected = {
  processed: MediaStreamTrack
  streams?: { from: ReadableStream<VideoFrame>; to: WritableStream<VideoFrame> }
  onMessage?(message: FromWorker): void
  release(): void
}

/** Of Chromium on pages (MediaStreamTrack Insertable Media Processing); TypeScript does not know them. */
type StreamsOfTracks = {
  MediaStreamTrackProcessor?: new (options: {
    track: MediaStreamTrack
    maxBufferSize: number
  }) => { readable: ReadableStream<VideoFrame> }
  MediaStreamTrackGenerator?: new (options: {
    kind: 'video'
  }) => MediaStreamTrack & { writable: WritableStream<VideoFrame> }
}

async function connect(track: MediaStreamTrack, to: Worker, session: number): Promise<Connected> {
  const { MediaStreamTrackProcessor, MediaStreamTrackGenerator } = globalThis as StreamsOfTracks
  if (MediaStreamTrackProcessor === undefined || MediaStreamTrackGenerator === undefined)
    return connectByPictures(track, to, session)
  const processor = new MediaStreamTrackProcessor({ track, maxBufferSize: 1 })
  const processed = new MediaStreamTrackGenerator({ kind: 'video' })
  return {
    processed,
    streams: { from: processor.readable, to: processed.writable },
    release: () => processed.stop(),
  }
}

/** For other browsers: the page takes pictures of the track and draws the answers, each time that the worker asks. */
async function connectByPictures(track: MediaStreamTrack, to: Worker, session: number): Promise<Connected> {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.srcObject = new MediaStream([track])
  await video.play()
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  const context = canvas.getContext('2d')
  const [processed] = canvas.captureStream().getVideoTracks()
  if (context === null || processed === undefined) throw new Error('This browser captures no canvas.')
  const send = async () => {
    if (track.readyState === 'ended') return
    const picture = await createImageBitmap(video)
    to.postMessage({ kind: 'picture', session, picture } satisfies ToWorker, [picture])
  }
  return {
    processed,
    onMessage(message) {
      if (message.kind === 'next') void send().catch(() => {})
      if (message.kind !== 'picture') return
      const { picture } = message
      if (canvas.width !== picture.width) canvas.width = picture.width
      if (canvas.height !== picture.height) canvas.height = picture.height
      context.drawImage(picture, 0, 0)
      picture.close()
    },
    release() {
      video.srcObject = null
      processed.stop()
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Encryption } from '../../platform/encryption.ts'
import { problem } from '../../platform/http/problem.ts'
import { timedOut, withTimeout } from '../../platform/with-timeout.ts'
import { type MediaEngine, mediaUrlOf } from './media-engine.ts'
import { startMediaProcess } from './media-process.ts'

/** Before each start in a row; the last one goes on. A kill is healed with the first, within half a second. */
const pausesMs = [0, 500, 1_000, 2_000, 5_000, 10_000] as const
/** An engine that has run this long had recovered: its end begins a new row. */
const steadyMs = 60_000
/** Whoever enters waits this long for an engine that starts, which takes a third of a second; then they are told to try again. */
const defaultWaitMs = 10_000

/** The name of the one key of the embedded engine. */
const apiKey = 'parley'

export type EmbeddedMedia = MediaEngine & {
  /** Ends the engine for good. */
  stop(): Promise<void>
}

export type EmbeddedMediaOptions = {
  config: Pick<Config, 'baseUrl' | 'mediaUdpPort' | 'mediaPublicAddress'>
  encryption: Encryption
  clock: Clock
  log: Logger
  /** Receives LiveKit's WebhookEvents, as JSON. */
  onEvent(event: unknown): void
  /** Told where the API is, each time it comes up. */
  noteAddress?(address: string): void
  /** Everybody who was inside is out. */
  onDeath(): void
  /** Another engine, for tests, how long it is waited for, and how often it is asked whether it is alive. */
  program?: string
  waitMs?: number
  lookEveryMs?: number
}

const ownProgram = fileURLToPath(new URL('../../media/main.ts', import.meta.url))

/**
 * The embedded engine: started with the first person who needs it, so that a quiet service does not pay for it, and from
 * then on again whenever it dies. Its secret is derived, so that calls go on after a start with the tokens they have.
 */
export function createEmbeddedMedia(options: EmbeddedMediaOptions): EmbeddedMedia {
  const { config, encryption, clock, log, onEvent, onDeath, program = ownProgram, waitMs = defaultWaitMs } = options
  const { lookEveryMs } = options
  const { mediaUdpPort: udpPort, mediaPublicAddress: publicAddress } = config
  const apiSecret = encryption.derive('embedded media', 32).toString('base64url')
  const settings = { apiKey, apiSecret, udpPort, ...(publicAddress !== undefined && { publicAddress }) }
  const stopping = new AbortController()
  let address = Promise.withResolvers<string>()
  let supervision: Promise<void> | undefined
  let isUp = false

  async function keepRunning() {
    for (let startsInRow = 0; !stopping.signal.aborted; startsInRow++) {
      const startedAtMs = clock.now().getTime()
      const ended = await run().catch((error: unknown) => String(error))
      if (stopping.signal.aborted) return
      if (clock.now().getTime() - startedAtMs > steadyMs) startsInRow = 0
      const pauseMs = pausesMs[Math.min(startsInRow, pausesMs.length - 1)]
      // One line a row: an engine that cannot start is not told of every ten seconds.
      log[startsInRow === 0 ? 'error' : 'debug']({ pauseMs, ended }, 'the media engine has ended; it is started again')
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** Hands out the engine's address for as long as it runs. */
  async function run(): Promise<string> {
    const engine = startMediaProcess({ program, settings, log, onEvent, ...(lookEveryMs && { lookEveryMs }) })
    const end = () => void engine.stop()
    stopping.signal.addEventListener('abort', end)
    const noteUp = (port: number) => {
      isUp = true
      address.resolve(`http://127.0.0.1:${port}`)
      options.noteAddress?.(`http://127.0.0.1:${port}`)
    }
    engine.listening.then(noteUp).catch(() => {})
    const ended = await engine.ended
    stopping.signal.removeEventListener('abort', end)
    if (isUp) {
      isUp = false
      address = Promise.withResolvers()
      onDeath()
    }
    return ended
  }

  return {
    url: mediaUrlOf({ baseUrl: config.baseUrl }),
    apiKey,
    apiSecret,
    async apiAddress() {
      if (stopping.signal.aborted) throw problem('media_unavailable')
      supervision ??= keepRunning()
      const found = await withTimeout(waitMs, () => address.promise)
      if (found === timedOut) throw problem('media_unavailable', { headers: { 'retry-after': '5' } })
      return found
    },
    place: async () => (isUp ? 'reachable' : 'none'),
    async stop() {
      stopping.abort()
      await supervision
    },
  }
}

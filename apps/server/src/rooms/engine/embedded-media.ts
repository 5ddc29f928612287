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

/** Pauses before successive restarts; the last one repeats. After a single crash the engine is back within half a second. */
const pausesMs = [0, 500, 1_000, 2_000, 5_000, 10_000] as const
/** An engine that ran this long had recovered: its end resets the pauses. */
const steadyMs = 60_000
/** A person who enters waits this long for an engine that starts, which takes a third of a second; then gets 503. */
const defaultWaitMs = 10_000

/** The API key of the embedded engine. */
const apiKey = 'parley'

export type EmbeddedMedia = MediaEngine & {
  /** Stop the engine and do not restart it. */
  stop(): Promise<void>
}

export type EmbeddedMediaOptions = {
  config: Pick<Config, 'baseUrl' | 'mediaUdpPort' | 'mediaPublicAddress'>
  encryption: Encryption
  clock: Clock
  log: Logger
  /** Receives LiveKit's WebhookEvents, as JSON. */
  onEvent(event: unknown): void
  /** Called with the address of the API each time the engine starts. */
  onAddress?(address: string): void
  /** Called when a running engine has ended, which disconnects all participants. */
  onDeath(): void
  /** For tests: another program, how long to wait for it, and the interval of its liveness pings. */
  program?: string
  waitMs?: number
  pingEveryMs?: number
}

const ownProgram = fileURLToPath(new URL('../../media/main.ts', import.meta.url))

/**
 * The embedded engine, a child process. It starts when the first person needs it, so that an idle service does not pay for
 * it, and restarts whenever it dies. Its secret is derived, so that tokens stay valid after a restart.
 */
export function createEmbeddedMedia(options: EmbeddedMediaOptions): EmbeddedMedia {
  const { config, encryption, clock, log, onEvent, onDeath, program = ownProgram, waitMs = defaultWaitMs } = options
  const { pingEveryMs } = options
  const { mediaUdpPort: udpPort, mediaPublicAddress: publicAddress } = config
  const apiSecret = encryption.derive('embedded media', 32).toString('base64url')
  const settings = { apiKey, apiSecret, udpPort, ...(publicAddress !== undefined && { publicAddress }) }
  const stopping = new AbortController()
  let address = Promise.withResolvers<string>()
  let supervision: Promise<void> | undefined
  let isUp = false

  async function keepRunning() {
    for (let restarts = 0; !stopping.signal.aborted; restarts++) {
      const startedAtMs = clock.now().getTime()
      const ended = await run().catch((error: unknown) => String(error))
      if (stopping.signal.aborted) return
      if (clock.now().getTime() - startedAtMs > steadyMs) restarts = 0
      const pauseMs = pausesMs[Math.min(restarts, pausesMs.length - 1)]
      // Log only the first of successive failures as an error: an engine that cannot start fails every ten seconds.
      log[restarts === 0 ? 'error' : 'debug']({ pauseMs, ended }, 'the media engine has ended; it is started again')
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** Run the engine once and provide its address meanwhile. Resolves to the reason of its end. */
  async function run(): Promise<string> {
    const engine = startMediaProcess({ program, settings, log, onEvent, ...(pingEveryMs && { pingEveryMs }) })
    const end = () => void engine.stop()
    stopping.signal.addEventListener('abort', end)
    const onListening = (port: number) => {
      isUp = true
      address.resolve(`http://127.0.0.1:${port}`)
      options.onAddress?.(`http://127.0.0.1:${port}`)
    }
    engine.listening.then(onListening).catch(() => {})
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
    status: async () => (isUp ? 'reachable' : 'none'),
    async stop() {
      stopping.abort()
      await supervision
    },
  }
}

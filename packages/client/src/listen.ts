import type { Endpoint, ReplyOf } from '@parley/contract'
import { backOffMs } from './back-off.ts'
import { random as browserRandom } from './clock-and-random.ts'
import { createEventReader, EventTooLong } from './event-stream.ts'
import { pause } from './pause.ts'
import { type ConnectOptions, type EndpointRequest, type LooseRequest, ProblemError, send } from './send.ts'

export type ListenOptions = {
  /** Ends the stream and the loop over it. */
  signal?: AbortSignal
  /** Called when the connection is lost, before the next attempt. */
  onLost?: (failures: number) => void
  /** From 0 to 1, the jitter of the delay between two attempts. */
  random?: () => number
  /** A stream that is silent for this long is dead: the service sends a comment every five seconds. */
  silenceMs?: number
}

const defaultSilenceMs = 10_000

/**
 * Receive the replies of a stream, over `fetch` because EventSource cannot send a token. Reconnects after a failure;
 * the service then sends the newest reply again.
 * @throws ProblemError when the service refuses the stream (4xx); server errors are retried
 */
export async function* listen<E extends Endpoint & { stream: true }>(
  connection: ConnectOptions,
  endpoint: E,
  ask: EndpointRequest<E>,
  { signal, onLost, random = browserRandom, silenceMs = defaultSilenceMs }: ListenOptions = {},
): AsyncGenerator<ReplyOf<E>, void, undefined> {
  for (let failures = 0; !signal?.aborted; ) {
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    signal?.addEventListener('abort', stop)
    let retryMs: number | undefined
    try {
      const timer = createSilenceTimer(silenceMs, stop)
      try {
        const response = await send(connection, endpoint, ask as LooseRequest, attempt.signal)
        for await (const event of eventsOf(response, timer.restart)) {
          failures = 0
          retryMs = event.retryMs
          yield JSON.parse(event.data)
        }
      } finally {
        timer.end()
      }
    } catch (error) {
      if (signal?.aborted) return
      if (isFinal(error)) throw error
      retryMs ??= retryAfterMsOf(error)
    } finally {
      signal?.removeEventListener('abort', stop)
      attempt.abort()
    }
    if (signal?.aborted) return
    failures += 1
    onLost?.(failures)
    await pause(Math.max(retryMs ?? 0, backOffMs(failures, random())), signal)
  }
}

/** Whether another attempt would fail as well. Rate limits and timeouts are temporary. */
function isFinal(error: unknown): boolean {
  if (error instanceof EventTooLong || error instanceof SyntaxError) return true
  if (!(error instanceof ProblemError)) return false
  const { status } = error.problem
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}

function retryAfterMsOf(error: unknown): number | undefined {
  if (!(error instanceof ProblemError)) return undefined
  const seconds = Number(error.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

async function* eventsOf({ body }: Response, restart: () => void) {
  if (body === null) return
  const read = createEventReader()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reader = body.getReader()
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      restart()
      yield* read(decoder.decode(value, { stream: true }))
    }
  } finally {
    // A failed stream cannot be cancelled.
    await reader.cancel().catch(() => undefined)
  }
}

/** Call back after a silence; each chunk restarts the timer. */
function createSilenceTimer(silenceMs: number, silent: () => void) {
  let timer = setTimeout(silent, silenceMs)
  return {
    restart() {
      clearTimeout(timer)
      timer = setTimeout(silent, silenceMs)
    },
    end: () => clearTimeout(timer),
  }
}

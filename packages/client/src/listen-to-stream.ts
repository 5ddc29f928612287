import type { Endpoint, ReplyOf } from '@parley/contract'
import { backOffMs } from './back-off.ts'
import { random as browserRandom } from './clock-and-random.ts'
import { createEventReader, EventTooLong, type StreamEvent } from './event-stream.ts'
import { pause } from './pause.ts'
import {
  type ConnectOptions,
  type EndpointRequest,
  InvalidBase,
  type LooseRequest,
  ProblemError,
  send,
} from './send.ts'

export type ListenOptions = {
  /** Ends the stream and the loop over it. */
  signal?: AbortSignal
  /** Called when the connection is lost, before the next attempt, with the error unless the stream has just ended. */
  onLost?: (failures: number, error?: unknown) => void
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
  request: EndpointRequest<E>,
  options: ListenOptions = {},
): AsyncGenerator<ReplyOf<E>, void, undefined> {
  const open = (signal: AbortSignal) => send(connection, endpoint, request as LooseRequest, { signal })
  for await (const { data } of receive(open, options)) if (data !== undefined) yield JSON.parse(data)
}

/**
 * Receive the events of a stream, and open it again after a failure: `open` is called for each attempt.
 * @throws ProblemError when the service refuses the stream (4xx); server errors are retried
 */
export async function* receive(
  open: (signal: AbortSignal) => Promise<Response>,
  { signal, onLost, random = browserRandom, silenceMs = defaultSilenceMs }: ListenOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  for (let failures = 0; !signal?.aborted; ) {
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    signal?.addEventListener('abort', stop)
    let retryMs: number | undefined
    let lostBy: unknown
    try {
      const timer = createSilenceTimer(silenceMs, stop)
      try {
        const response = await open(attempt.signal)
        for await (const event of eventsOf(response, timer)) {
          failures = 0
          retryMs = event.retryMs
          yield event
        }
      } finally {
        timer.stop()
      }
    } catch (error) {
      if (signal?.aborted) return
      if (isFinal(error)) throw error
      retryMs ??= retryAfterMsOf(error)
      lostBy = error
    } finally {
      signal?.removeEventListener('abort', stop)
      attempt.abort()
    }
    if (signal?.aborted) return
    failures += 1
    onLost?.(failures, lostBy)
    await pause(Math.max(retryMs ?? 0, backOffMs(failures, random())), signal)
  }
}

/** Whether another attempt would fail as well. Rate limits and timeouts are temporary. */
function isFinal(error: unknown): boolean {
  if (error instanceof EventTooLong || error instanceof SyntaxError || error instanceof InvalidBase) return true
  if (!(error instanceof ProblemError)) return false
  const { status } = error.problem
  // A success that is a problem came from a server that is not Parley.
  return status < 500 && status !== 408 && status !== 429
}

function retryAfterMsOf(error: unknown): number | undefined {
  if (!(error instanceof ProblemError)) return undefined
  const seconds = Number(error.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

async function* eventsOf({ body }: Response, timer: SilenceTimer) {
  if (body === null) return
  const read = createEventReader()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reader = body.getReader()
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      // Nothing is read while the program handles an event.
      timer.stop()
      yield* read(decoder.decode(value, { stream: true }))
      timer.start()
    }
  } finally {
    // A failed stream cannot be cancelled.
    await reader.cancel().catch(() => undefined)
  }
}

type SilenceTimer = { start(): void; stop(): void }

/** Call back after a silence. The timer runs from its creation on. */
function createSilenceTimer(silenceMs: number, silent: () => void): SilenceTimer {
  let timer = setTimeout(silent, silenceMs)
  return {
    start() {
      timer = setTimeout(silent, silenceMs)
    },
    stop: () => clearTimeout(timer),
  }
}

import type { Endpoint, ReplyOf } from '@parley/contract'
import { backOffMs } from './back-off.ts'
import { chance as browserChance } from './clock-and-random.ts'
import { createEventReader, EventTooLong } from './event-stream.ts'
import { pause } from './pause.ts'
import { type Ask, type ConnectOptions, type LooseRequest, ProblemError, send } from './send.ts'

export type ListenOptions = {
  /** Ends the stream, and the loop over it. */
  signal?: AbortSignal
  /** Told when the connection is lost, before it is tried again. */
  onLost?: (failures: number) => void
  /** From 0 to 1, for the time between two tries. */
  chance?: () => number
  /** A stream that is silent for so long is dead: the service sends a comment every five seconds. */
  silenceMs?: number
}

const defaultSilenceMs = 10_000

/**
 * The replies of a stream, as they come, over `fetch` because EventSource carries no token. What breaks is connected
 * again, and the newest reply is sent again with it.
 * @throws ProblemError when the service refuses the stream (4xx); a server that fails is asked again
 */
export async function* listen<E extends Endpoint & { stream: true }>(
  connection: ConnectOptions,
  endpoint: E,
  ask: Ask<E>,
  { signal, onLost, chance = browserChance, silenceMs = defaultSilenceMs }: ListenOptions = {},
): AsyncGenerator<ReplyOf<E>, void, undefined> {
  for (let failures = 0; !signal?.aborted; ) {
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    signal?.addEventListener('abort', stop)
    let retryMs: number | undefined
    try {
      const watch = createWatch(silenceMs, stop)
      try {
        const response = await send(connection, endpoint, ask as LooseRequest, attempt.signal)
        for await (const event of eventsOf(response, watch.heard)) {
          failures = 0
          retryMs = event.retryMs
          yield JSON.parse(event.data)
        }
      } finally {
        watch.end()
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
    await pause(Math.max(retryMs ?? 0, backOffMs(failures, chance())), signal)
  }
}

/** What would be the same at the next try. Too many requests and a time limit would not. */
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

async function* eventsOf({ body }: Response, heard: () => void) {
  if (body === null) return
  const read = createEventReader()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reader = body.getReader()
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      heard()
      yield* read(decoder.decode(value, { stream: true }))
    }
  } finally {
    // Of a stream that has failed there is nothing to cancel.
    await reader.cancel().catch(() => undefined)
  }
}

/** Calls back after a silence; each word that is heard begins it anew. */
function createWatch(silenceMs: number, silent: () => void) {
  let timer = setTimeout(silent, silenceMs)
  return {
    heard() {
      clearTimeout(timer)
      timer = setTimeout(silent, silenceMs)
    },
    end: () => clearTimeout(timer),
  }
}

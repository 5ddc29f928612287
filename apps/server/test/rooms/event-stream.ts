import { setTimeout as sleep } from 'node:timers/promises'

/** A reader of server-sent events, as a page is one. */
export type EventStream<Snapshot> = {
  headers: Headers
  /** The first snapshot, of those that came since the last one this handed out, that is so; it waits for it. */
  until(isSo: (snapshot: Snapshot) => boolean): Promise<Snapshot>
  next(): Promise<Snapshot>
  /** Resolves when the text that was sent so far, comments as well, is like this. */
  untilSent(words: RegExp): Promise<void>
  /** Resolves when the service has ended the stream. */
  ended(): Promise<void>
  /** The page is closed. */
  close(): void
}

/** Long enough for a look on a busy machine; a test that waits for longer has failed. */
const patienceMs = 20_000

/** Opens a stream that must be granted. */
export async function openStream<Snapshot>(
  app: { base: string },
  path: string,
  headers: Record<string, string> = {},
): Promise<EventStream<Snapshot>> {
  const closing = new AbortController()
  const response = await fetch(`${app.base}${path}`, { headers, signal: closing.signal })
  if (response.status !== 200 || response.body === null) throw new Error(`${response.status} ${await response.text()}`)
  const text = response.body.pipeThrough(new TextDecoderStream())
  const snapshots: Snapshot[] = []
  let raw = ''
  let wake = () => {}
  let isOver = false

  async function read() {
    let rest = ''
    for await (const part of text) {
      raw += part
      rest += part
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      const data = blocks.flatMap((block) => block.split('\n').filter((line) => line.startsWith('data: ')))
      snapshots.push(...data.map((line) => JSON.parse(line.slice('data: '.length))))
      wake()
    }
  }
  const reading = read()
    .catch(() => {})
    .then(() => {
      isOver = true
      wake()
    })

  /** Waits until `look` finds something in what has come. */
  async function wait<Found>(look: () => Found | undefined): Promise<Found> {
    const limit = AbortSignal.timeout(patienceMs)
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      if (isOver || limit.aborted) throw new Error(`${isOver ? 'The stream ended' : 'Nothing came'}:\n${raw}`)
      await new Promise<void>((resolve) => {
        wake = resolve
        limit.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }

  const until = (isSo: (snapshot: Snapshot) => boolean) =>
    wait(() => {
      while (snapshots.length > 0) {
        const [next] = snapshots.splice(0, 1)
        if (next !== undefined && isSo(next)) return next
      }
      return undefined
    })

  return {
    headers: response.headers,
    until,
    next: () => until(() => true),
    untilSent: async (words) => void (await wait(() => words.exec(raw) ?? undefined)),
    ended: () =>
      Promise.race([
        reading,
        sleep(patienceMs, undefined, { ref: false }).then(() => {
          throw new Error('The stream goes on')
        }),
      ]),
    close: () => closing.abort(),
  }
}

import { setTimeout as sleep } from 'node:timers/promises'

/** A block of lines between two empty ones. A comment has no field. */
export type Message = { id?: string; event?: string; data?: string }

/** A reader of server-sent events, as a page is. */
export type EventStream<Snapshot> = {
  headers: Headers
  /** Wait for the first snapshot that matches, among those after the last one returned here. */
  until(isSo: (snapshot: Snapshot) => boolean): Promise<Snapshot>
  next(): Promise<Snapshot>
  /** Resolve when the text received so far, comments included, matches. */
  untilSent(words: RegExp): Promise<void>
  /** Resolve when the service has ended the stream. */
  ended(): Promise<void>
  /** Close the page. */
  close(): void
}

/** Long enough for a check on a busy machine; longer waits fail the test. */
const patienceMs = 20_000

/** Open a stream, which must be accepted. */
export const openStream = <Snapshot>(app: { base: string }, path: string, headers: Record<string, string> = {}) =>
  openMessages<Snapshot>(app, path, headers, ({ data }) => (data === undefined ? undefined : JSON.parse(data)))

/** Open a stream, and read of each message what `read` returns; undefined for one to skip. */
export async function openMessages<Snapshot>(
  app: { base: string },
  path: string,
  headers: Record<string, string>,
  read: (message: Message) => Snapshot | undefined,
): Promise<EventStream<Snapshot>> {
  const closing = new AbortController()
  const response = await fetch(`${app.base}${path}`, { headers, signal: closing.signal })
  if (response.status !== 200 || response.body === null) throw new Error(`${response.status} ${await response.text()}`)
  const text = response.body.pipeThrough(new TextDecoderStream())
  const snapshots: Snapshot[] = []
  let raw = ''
  let wake = () => {}
  let isOver = false

  async function readAll() {
    let rest = ''
    for await (const part of text) {
      raw += part
      rest += part
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      snapshots.push(...blocks.map((block) => read(messageOf(block))).filter((found) => found !== undefined))
      wake()
    }
  }
  const reading = readAll()
    .catch(() => {})
    .then(() => {
      isOver = true
      wake()
    })

  /** Wait until `look` finds something in the events received. */
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

function messageOf(block: string): Message {
  const fields = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line))
  return Object.fromEntries(fields.flatMap((field) => (field === null ? [] : [[field[1], field[2]]])))
}

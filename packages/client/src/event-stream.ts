/** An event of a stream: its `data` lines, joined by line feeds, or an `id` alone, which only moves the cursor on. */
export type StreamEvent = { data: string | undefined; id: string | undefined; retryMs: number | undefined }

/** Larger events are not the service's. */
export const maxEventCharacters = 1024 * 1024

/** An event has more than `maxEventCharacters`, which the service never sends. */
export class EventTooLong extends Error {}

/**
 * Parse server-sent events from chunks with arbitrary boundaries (HTML, 9.2.6). Comments and event names are ignored:
 * the data of events that differ names their type.
 */
export function createEventReader(): (piece: string) => StreamEvent[] {
  let rest = ''
  let data: string[] = []
  let id: string | undefined
  let size = 0
  let retryMs: number | undefined
  let isFirst = true
  let endedByReturn = false

  return (piece) => {
    const events: StreamEvent[] = []
    rest += isFirst && piece.startsWith('\uFEFF') ? piece.slice(1) : piece
    if (piece !== '') isFirst = false
    // A CR ends a line at once; the LF that follows may be in the next chunk.
    if (endedByReturn && rest !== '') {
      if (rest.startsWith('\n')) rest = rest.slice(1)
      endedByReturn = false
    }
    for (let line = takeLine(); line !== undefined; line = takeLine()) {
      const event = readLine(line)
      if (event !== undefined) events.push(event)
    }
    if (rest.length + size > maxEventCharacters) throw new EventTooLong()
    return events
  }

  /** Undefined until the line has ended. */
  function takeLine(): string | undefined {
    const at = rest.search(/\r|\n/)
    if (at === -1) return undefined
    endedByReturn = rest[at] === '\r' && at === rest.length - 1
    const line = rest.slice(0, at)
    rest = rest.slice(at + (rest.startsWith('\r\n', at) ? 2 : 1))
    return line
  }

  function readLine(line: string): StreamEvent | undefined {
    if (line === '') return finish()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') {
      data.push(value)
      size += value.length
    }
    if (field === 'id' && !value.includes('\0')) id = value
    if (field === 'retry' && /^\d{1,7}$/.test(value)) retryMs = Number(value)
    return undefined
  }

  function finish(): StreamEvent | undefined {
    const event = { data: data.length === 0 ? undefined : data.join('\n'), id, retryMs }
    data = []
    id = undefined
    size = 0
    return event.data === undefined && event.id === undefined ? undefined : event
  }
}

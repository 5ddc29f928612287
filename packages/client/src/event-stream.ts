/** One event of a stream: what its `data` lines said, joined by line feeds. */
export type StreamEvent = { data: string; retryMs: number | undefined }

/** An event that grows beyond this is none of ours. */
export const maxEventCharacters = 1024 * 1024

export class EventTooLong extends Error {}

/**
 * Reads server-sent events out of text that arrives in pieces cut anywhere (HTML, 9.2.6). Comments, event names and ids
 * are read over: all our events are of one kind, and the newest is all that counts.
 */
export function createEventReader(): (piece: string) => StreamEvent[] {
  let rest = ''
  let data: string[] = []
  let size = 0
  let retryMs: number | undefined
  let isFirst = true
  let endedByReturn = false

  return (piece) => {
    const events: StreamEvent[] = []
    rest += isFirst && piece.startsWith('\uFEFF') ? piece.slice(1) : piece
    if (piece !== '') isFirst = false
    // A CR ends a line at once; the LF that follows it may come with the next piece.
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
    if (field === 'retry' && /^\d{1,7}$/.test(value)) retryMs = Number(value)
    return undefined
  }

  function finish(): StreamEvent | undefined {
    const event = data.length === 0 ? undefined : { data: data.join('\n'), retryMs }
    data = []
    size = 0
    return event
  }
}

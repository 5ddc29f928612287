import { type EventType, type FollowedEvent, listEvents } from '@parley/contract'
import { type ListenOptions, receive } from './listen-to-stream.ts'
import { type ConnectOptions, send } from './send.ts'

export type FollowOptions<Type extends EventType = EventType> = ListenOptions & {
  /** The cursor after which to begin; from now on when absent. */
  after?: string
  /** Only events of these types; those that the token may read when absent. */
  types?: readonly Type[]
  /** Only events of this meeting (`_id`). */
  meetingId?: string
  /**
   * Called with the cursor when the loop asks for the next event, and so has handled every event before the cursor: a
   * program that stores the cursor and passes it as `after` next time misses no event. A promise is awaited.
   */
  onCursor?: (cursor: string) => void | Promise<void>
}

/**
 * Follow the event log: the events after the cursor, and then each new event within a second. After a failure, reconnect
 * and continue after the last event.
 * @throws ProblemError when the service refuses the stream: `unauthorized` once the token has ended, `cursor_expired`
 *   for a cursor that is too old; server errors are retried
 */
export async function* followEvents<const Type extends EventType = EventType>(
  connection: ConnectOptions,
  { after, types, meetingId, onCursor, ...options }: FollowOptions<Type> = {},
): AsyncGenerator<FollowedEvent<Type>, void, undefined> {
  let cursor = after
  const open = (signal: AbortSignal) => {
    const query = { follow: true, after: cursor, type: types?.join(), meetingId }
    return send(connection, listEvents, { query }, { signal, mediaTypes: ['text/event-stream'] })
  }
  for await (const { id, data } of receive(open, options)) {
    if (data !== undefined) yield JSON.parse(data)
    if (id === undefined) continue
    cursor = id
    await onCursor?.(id)
  }
}

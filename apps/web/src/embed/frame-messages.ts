import type { EmbedCommand, EmbedEvent, EmbedPanel } from '@parley/client/embed'
import type { Participant, RoomSnapshot } from '@parley/client/join'

/** What the address and the document of the frame say. */
export type FrameAddress = {
  code: string
  clientId: string
  /** The origins of the pages that may embed meetings of the app. */
  origins: readonly string[]
}

export function readFrameAddress({ pathname, search }: Pick<Location, 'pathname' | 'search'>, listed: string) {
  const code = decodeURIComponent(pathname.split('/')[2] ?? '')
  const clientId = new URLSearchParams(search).get('clientId') ?? ''
  return { code, clientId, origins: listed.split(' ').filter((origin) => origin !== '') } satisfies FrameAddress
}

const panels: unknown[] = ['chat', 'people', 'captions', null] satisfies (EmbedPanel | null)[]

const isOn = (value: unknown): value is boolean => typeof value === 'boolean'

/** Read a message of the page around the frame; undefined for every other message, as other programs send some. */
export function readCommand(data: unknown): EmbedCommand | undefined {
  const { parley, type, ticket, on, panel, layout } = Object(data)
  if (parley !== 1) return undefined
  switch (type) {
    case 'ticket':
      return typeof ticket === 'string' ? { type, ticket } : undefined
    case 'microphone':
    case 'camera':
    case 'screen':
    case 'hand':
      return isOn(on) ? { type, on } : undefined
    case 'panel':
      return panels.includes(panel) ? { type, panel } : undefined
    case 'layout':
      return layout === 'grid' || layout === 'speaker' ? { type, layout } : undefined
    case 'leave':
      return { type }
    default:
      return undefined
  }
}

/** What the page around the frame is told of a change in the room. */
export function eventsBetween(before: RoomSnapshot | undefined, after: RoomSnapshot): EmbedEvent[] {
  const { status, me } = after
  const events: EmbedEvent[] = []
  if (status.phase === 'waiting' && stateOf(before) !== status.state)
    events.push({ type: 'waiting', state: status.state })
  const wasInside = before !== undefined && isInside(before)
  if (me !== null && isInside(after) && !wasInside) events.push({ type: 'joined', id: me.id, name: me.name })
  if (status.phase !== 'over') events.push(...changesOfPeople(before, after))
  else if (before?.status.phase !== 'over') {
    const { reason } = status.end
    if (status.end.reason === 'failed') events.push({ type: 'error', code: status.end.problem.code })
    else events.push(reason === 'left' ? { type: 'left' } : { type: 'ended', reason })
  }
  return events
}

const stateOf = (snapshot: RoomSnapshot | undefined) =>
  snapshot?.status.phase === 'waiting' ? snapshot.status.state : undefined

/** A connection that is being restored is no departure. */
const isInside = ({ status: { phase }, me }: RoomSnapshot) =>
  me !== null && (phase === 'inside' || phase === 'reconnecting')

function changesOfPeople(before: RoomSnapshot | undefined, after: RoomSnapshot): EmbedEvent[] {
  const [then, now] = [before?.others ?? [], after.others]
  const lacks = (people: readonly Participant[]) => (person: Participant) => !people.some(({ id }) => id === person.id)
  const toEvent =
    (change: 'joined' | 'left') =>
    ({ id, name, isGuest }: Participant): EmbedEvent => ({ type: 'participant', change, id, name, isGuest })
  const speaking = before === undefined ? [] : speakersOf(before)
  const speakers = speakersOf(after)
  return [
    ...then.filter(lacks(now)).map(toEvent('left')),
    ...now.filter(lacks(then)).map(toEvent('joined')),
    ...(speakers.join() === speaking.join() ? [] : [{ type: 'speaking' as const, ids: speakers }]),
  ]
}

const speakersOf = ({ me, others }: RoomSnapshot): string[] =>
  [me, ...others].flatMap((person) => (person?.speaking === true ? person.id : []))

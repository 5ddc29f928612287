import type { Participant, RoomSnapshot } from '@parley/client/join'
import { isNamed } from '../panels/use-waiting.ts'

export type AnnouncedState = Pick<RoomSnapshot, 'others' | 'elsewhere' | 'messages' | 'hostView'>

/** The events of other participants between two snapshots. */
export function happeningsBetween(before: AnnouncedState, after: AnnouncedState): Happening[] {
  if (before === after) return []
  const known = new Map(before.others.map((person) => [person.id, person]))
  const here = new Set(after.others.map(({ id }) => id))
  // Going to another breakout room is neither joining nor leaving the meeting.
  const wasElsewhere = new Set(before.elsewhere.map(({ id }) => id))
  const isElsewhere = new Set(after.elsewhere.map(({ id }) => id))
  const newest = before.messages.at(-1)?.id ?? 0
  const waited = new Set(before.hostView?.waiting.map(({ admissionId }) => admissionId))
  return [
    ...after.others
      .flatMap((person) => changesOf(person, known.get(person.id)))
      .filter(({ kind, id }) => kind !== 'joined' || !wasElsewhere.has(id)),
    ...before.others
      .filter(({ id }) => !here.has(id) && !isElsewhere.has(id))
      .map(({ id, name, isGuest }): Happening => ({ kind: 'left', id, name, isGuest })),
    ...after.messages
      .filter(({ id, isMine }) => id > newest && !isMine)
      .map(({ from, name, isGuest, text }): Happening => ({ kind: 'chat', id: from, name, isGuest, text })),
    ...(after.hostView?.waiting ?? [])
      .filter((person) => isNamed(person) && !waited.has(person.admissionId))
      .map(({ admissionId, name, guest }): Happening => ({ kind: 'waiting', id: admissionId, name, isGuest: guest })),
  ]
}

function changesOf(person: Participant, was: Participant | undefined): Happening[] {
  const { id, name, isGuest } = person
  if (was === person) return []
  const happeningWhen = (kind: Exclude<Happening['kind'], 'chat'>, happened: boolean): Happening[] =>
    happened ? [{ kind, id, name, isGuest }] : []
  // A participant who has just joined needs no further event except a raised hand.
  if (was === undefined) return [...happeningWhen('joined', true), ...happeningWhen('hand', person.handPlace !== null)]
  return [
    ...happeningWhen('muted', person.muted && !was.muted),
    ...happeningWhen('unmuted', !person.muted && was.muted),
    ...happeningWhen('hand', person.handPlace !== null && was.handPlace === null),
    ...happeningWhen('sharing', person.screen !== null && was.screen === null),
    ...happeningWhen('sharingEnded', person.screen === null && was.screen !== null),
  ]
}

/** An event in a room, for people who do not see it. */
export type Happening =
  | {
      kind: 'waiting' | 'joined' | 'left' | 'muted' | 'unmuted' | 'hand' | 'sharing' | 'sharingEnded'
      id: string
      name: string
      isGuest: boolean
    }
  | { kind: 'chat'; id: string; name: string; isGuest: boolean; text: string }

type Counted = 'waiting' | 'joined' | 'left' | 'muted' | 'unmuted' | 'hand' | 'sharing' | 'sharingEnded' | 'chat'

/** A text of `room: announcements.*` with its values. */
export type Announcement =
  | { key: `one.${Counted}`; name: string; isGuest: boolean; text: string }
  | { key: `many.${Counted}`; count: number }

/** The most important first, because the listener may be in a conversation. */
const order = [
  'hand',
  'chat',
  'sharing',
  'sharingEnded',
  'joined',
  'left',
  'unmuted',
  'muted',
] as const satisfies readonly Counted[]
/** A screen reader's user would not listen to more sentences at once. */
const maxSentences = 3
/** Longer messages are cut; the chat has the whole text. */
const maxQuoteLength = 140

/**
 * Summarize the events since the last announcement: one sentence per kind, with a number when several people did the
 * same. Events that were undone are left out.
 */
export function announce(happenings: readonly Happening[]): Announcement[] {
  const remaining = happenings.filter((one, at) => !happenings.slice(at + 1).some((later) => undoes(later, one)))
  return order
    .flatMap((kind): Announcement[] => {
      const same = remaining.filter((one) => one.kind === kind)
      const [first] = same
      if (first === undefined) return []
      if (same.length > 1) return [{ key: `many.${kind}`, count: same.length }]
      const text = first.kind === 'chat' ? shorten(first.text) : ''
      return [{ key: `one.${kind}`, name: first.name, isGuest: first.isGuest, text }]
    })
    .slice(0, maxSentences)
}

const opposites: Partial<Record<Happening['kind'], Happening['kind']>> = {
  joined: 'left',
  left: 'joined',
  muted: 'unmuted',
  unmuted: 'muted',
  sharing: 'sharingEnded',
}

/** Whether a later event reverses or repeats an earlier one; two chat messages never do. */
const undoes = (later: Happening, one: Happening) =>
  later.id === one.id && (opposites[one.kind] === later.kind || (later.kind === one.kind && one.kind !== 'chat'))

const shorten = (text: string) => (text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text)

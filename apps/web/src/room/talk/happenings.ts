import type { Participant, RoomSnapshot } from '@parley/client/join'
import { isNamed } from '../panels/waiting-person.ts'
import type { Happening } from './announcement.ts'

export type AnnouncedState = Pick<RoomSnapshot, 'others' | 'messages' | 'hostView'>

/** The events of other participants between two snapshots. */
export function happeningsBetween(before: AnnouncedState, after: AnnouncedState): Happening[] {
  if (before === after) return []
  const known = new Map(before.others.map((person) => [person.id, person]))
  const here = new Set(after.others.map(({ id }) => id))
  const newest = before.messages.at(-1)?.id ?? 0
  const waited = new Set(before.hostView?.waiting.map(({ admissionId }) => admissionId))
  return [
    ...after.others.flatMap((person) => changesOf(person, known.get(person.id))),
    ...before.others
      .filter(({ id }) => !here.has(id))
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

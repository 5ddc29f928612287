import type { Entering, RoomMedia, RoomState } from '@parley/contract'
import type { JoinStatus, RoomEnd } from './room.ts'

type Waiting = Extract<JoinStatus, { phase: 'waiting' }>

export type Step =
  | { kind: 'connect'; admissionId: string; media: RoomMedia }
  /** `admissionId` identifies the stream that reports changes; without it, only time changes the state. */
  | { kind: 'wait'; status: Waiting; admissionId: string | undefined }
  | { kind: 'end'; end: RoomEnd }

/** Decide what a reply to entering means, for a new caller and for one who was inside and lost the connection. */
export function nextStep(entering: Entering, wasInside: boolean): Step {
  const { state, admissionId, media, retryAfter } = entering
  switch (state) {
    case 'admitted':
      // The contract guarantees both.
      if (admissionId === undefined || media === undefined) return end({ reason: 'lost' })
      return { kind: 'connect', admissionId, media }
    case 'waiting':
    case 'waiting_for_host':
    case 'too_early':
      return { kind: 'wait', status: toWaiting(state, entering), admissionId }
    case 'cancelled':
    case 'ended':
    case 'denied':
      return end((wasInside && endOf(state)) || { reason: 'refused', state })
    default:
      return end({ reason: 'refused', state, ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }) })
  }
}

type WaitingFields = { opensAt?: string; hostInside?: boolean }

/** What ends the visit of a caller who is inside; undefined for a state in which they may enter again. */
export function endOf(state: RoomState): RoomEnd | undefined {
  if (state === 'cancelled' || state === 'ended') return { reason: state }
  return state === 'denied' ? { reason: 'removed' } : undefined
}

/** The snapshot's fields while waiting. */
export const toWaiting = (state: Waiting['state'], { opensAt, hostInside }: WaitingFields): Waiting => ({
  phase: 'waiting',
  state,
  ...(opensAt !== undefined && { opensAt }),
  ...(hostInside !== undefined && { hostInside }),
})

const end = (value: RoomEnd): Step => ({ kind: 'end', end: value })

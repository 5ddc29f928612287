import type { Entering, RoomMedia } from '@parley/contract'
import type { RoomEnd, Standing } from './room.ts'

type Waiting = Extract<Standing, { phase: 'waiting' }>

export type Step =
  | { kind: 'connect'; admissionId: string; media: RoomMedia }
  /** `admissionId` identifies the stream that reports changes; without it, only time changes the state. */
  | { kind: 'wait'; standing: Waiting; admissionId: string | undefined }
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
      return { kind: 'wait', standing: toWaiting(state, entering), admissionId }
    case 'cancelled':
    case 'ended':
      return end(wasInside ? { reason: state } : { reason: 'refused', state })
    case 'denied':
      return end(wasInside ? { reason: 'removed' } : { reason: 'refused', state })
    default:
      return end({ reason: 'refused', state, ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }) })
  }
}

type WaitingFields = { opensAt?: string; hostInside?: boolean }

/** The snapshot's fields while waiting. */
export const toWaiting = (state: Waiting['state'], { opensAt, hostInside }: WaitingFields): Waiting => ({
  phase: 'waiting',
  state,
  ...(opensAt !== undefined && { opensAt }),
  ...(hostInside !== undefined && { hostInside }),
})

const end = (value: RoomEnd): Step => ({ kind: 'end', end: value })

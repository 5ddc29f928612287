import type { Entering, RoomMedia } from '@parley/contract'
import type { RoomEnd, Standing } from './room.ts'

export type Waiting = Extract<Standing, { phase: 'waiting' }>

export type Step =
  | { kind: 'connect'; admissionId: string; media: RoomMedia }
  /** `admissionId` names the stream that tells when it changes; without one the time does. */
  | { kind: 'wait'; standing: Waiting; admissionId: string | undefined }
  | { kind: 'end'; end: RoomEnd }

/** What an answer of the door means for who asked, and for who was inside and has lost the connection. */
export function nextStep(entering: Entering, wasInside: boolean): Step {
  const { state, admissionId, media, retryAfter } = entering
  switch (state) {
    case 'admitted':
      // The contract says that both come with it.
      if (admissionId === undefined || media === undefined) return end({ reason: 'lost' })
      return { kind: 'connect', admissionId, media }
    case 'waiting':
    case 'waiting_for_host':
    case 'too_early':
      return { kind: 'wait', standing: waitingOf(state, entering), admissionId }
    case 'cancelled':
    case 'ended':
      return end(wasInside ? { reason: state } : { reason: 'refused', state })
    case 'denied':
      return end(wasInside ? { reason: 'removed' } : { reason: 'refused', state })
    default:
      return end({ reason: 'refused', state, ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }) })
  }
}

type Told = { opensAt?: string; hostInside?: boolean }

/** What a page shows while it waits. */
export const waitingOf = (state: Waiting['state'], { opensAt, hostInside }: Told): Waiting => ({
  ...{ phase: 'waiting', state },
  ...(opensAt !== undefined && { opensAt }),
  ...(hostInside !== undefined && { hostInside }),
})

const end = (value: RoomEnd): Step => ({ kind: 'end', end: value })

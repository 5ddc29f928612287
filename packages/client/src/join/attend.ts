import { type AdmissionStanding, type Entering, watchAdmission, watchRoom } from '@parley/contract'
import { DisconnectReason } from 'livekit-client'
import { backOffMs } from '../back-off.ts'
import { chance, now } from '../clock-and-random.ts'
import { listen } from '../listen.ts'
import { pause } from '../pause.ts'
import { type ConnectOptions, ProblemError } from '../send.ts'
import type { Inside } from './inside.ts'
import { nextStep, type Step, waitingOf } from './next-step.ts'
import type { RoomEnd, RoomSnapshot } from './room.ts'
import type { Store } from './store.ts'

/** Who was inside is brought back for so long, and who asks is asked for so long, while nothing answers. */
const giveUpMs = 2 * 60_000

/** The opening is looked at again at the latest after this, since clocks differ and meetings are moved. */
const maxLookMs = 60_000
const minLookMs = 2_000

export type Visit = {
  store: Store<RoomSnapshot>
  connection: ConnectOptions
  svcMeetId: string
  /** Aborted when oneself leaves. */
  leaving: AbortSignal
  enter(): Promise<Entering>
  /** @throws when there is no connection */
  connect(step: Extract<Step, { kind: 'connect' }>, entering: Entering): Promise<Inside>
  /** Told when one has to wait: nothing is sent any more. */
  admissionOf(): void
}

/** From the door to the end: asks, waits, is inside, and comes back when a connection is lost. */
export async function attend(visit: Visit): Promise<RoomEnd> {
  const { store, leaving } = visit
  let wasInside = false
  let failures = 0
  let failingSince: Date | undefined

  while (!leaving.aborted) {
    if (failures > 0) await pause(backOffMs(failures, chance()), leaving)
    if (leaving.aborted) break
    try {
      const entering = await visit.enter()
      if (leaving.aborted) break
      const { meeting, role, devices, pin } = entering
      store.change({
        ...(meeting && { meeting }),
        ...(role && { role }),
        ...(pin !== undefined && { pin }),
        ...(devices && { hardMuted: devices.hardMuted }),
      })
      const step = nextStep(entering, wasInside)
      if (step.kind === 'end') return step.end
      if (step.kind === 'wait') {
        await waitForAdmission(visit, step)
      } else {
        if (!wasInside) store.change({ standing: { phase: 'connecting' } })
        const inside = await visit.connect(step, entering)
        wasInside = true
        const reason = await stay(visit, step.admissionId, inside)
        if (leaving.aborted) break
        if (reason === DisconnectReason.DUPLICATE_IDENTITY) return { reason: 'elsewhere' }
        // Coming back by itself would only begin it again. LiveKit uses this reason for telephone calls only.
        if (reason === DisconnectReason.USER_REJECTED) return { reason: 'too_much_sent' }
        store.change({ standing: { phase: 'reconnecting' } })
      }
      failures = 0
      failingSince = undefined
    } catch (error) {
      if (leaving.aborted) break
      if (error instanceof ProblemError && isFinal(error)) return { reason: 'failed', problem: error.problem }
      failures += 1
      failingSince ??= now()
      if (now().getTime() - failingSince.getTime() > giveUpMs) return { reason: 'lost' }
    }
  }
  return { reason: 'left' }
}

const isFinal = (error: ProblemError) => {
  const { status } = error.problem
  return status < 500 && status !== 408 && status !== 429 && !isForgotten(error)
}

/** Who waits and is away for ten seconds waits no longer; who knocks again does. */
const isForgotten = ({ problem }: ProblemError) => problem.code === 'admission_not_found'

/** Until it is worth asking again. */
async function waitForAdmission(
  visit: Visit,
  { standing, admissionId }: Extract<Step, { kind: 'wait' }>,
): Promise<void> {
  const { store, leaving } = visit
  visit.admissionOf()
  store.change({ standing })
  if (admissionId === undefined) return pause(lookAgainMs(standing.opensAt), leaving)
  let wasHeard = false
  try {
    for await (const told of watchOwn(visit, admissionId, leaving)) {
      const { state } = told
      wasHeard = true
      if (state !== 'waiting' && state !== 'waiting_for_host' && state !== 'too_early') return
      store.change({ standing: waitingOf(state, told) })
    }
  } catch (error) {
    // Gone for too long to wait any more: one knocks again.
    if (!wasHeard || !(error instanceof ProblemError) || !isForgotten(error)) throw error
  }
}

function lookAgainMs(opensAt: string | undefined): number {
  const untilMs = opensAt === undefined ? maxLookMs : new Date(opensAt).getTime() - now().getTime()
  return Math.min(maxLookMs, Math.max(minLookMs, untilMs)) + chance() * minLookMs
}

/** Until the connection has ended; the service may say before the media server does that it must. */
async function stay(visit: Visit, admissionId: string, inside: Inside): Promise<DisconnectReason | undefined> {
  const { store, leaving } = visit
  const over = new AbortController()
  const end = () => void inside.livekit.disconnect()
  leaving.addEventListener('abort', end)
  if (leaving.aborted) end()
  store.change({ standing: { phase: 'inside' } })
  void follow(visit, admissionId, over.signal).then(end)
  try {
    return await inside.ended
  } finally {
    over.abort()
    leaving.removeEventListener('abort', end)
    store.change({ door: null })
  }
}

/** Shows what the service says of oneself, and of the door to whoever hosts, until one is no longer admitted. */
async function follow(visit: Visit, admissionId: string, signal: AbortSignal): Promise<void> {
  const { store } = visit
  let door: AbortController | undefined
  signal.addEventListener('abort', () => door?.abort())
  try {
    for await (const { state, role, hardMuted, unmuteAskedOn } of watchOwn(visit, admissionId, signal)) {
      if (state !== 'admitted') return
      store.change({ role, hardMuted, unmuteAskedOn })
      if (role !== 'participant' && door === undefined) {
        door = new AbortController()
        void followAdmission(visit, door.signal)
      }
    }
  } catch {
    // Refused: whether one is still wanted is asked at the door.
  }
}

async function followAdmission({ store, connection, svcMeetId }: Visit, signal: AbortSignal): Promise<void> {
  try {
    for await (const door of listen(connection, watchRoom, { params: { svcMeetId } }, { signal })) {
      if (!signal.aborted) store.change({ door })
    }
  } catch {
    store.change({ door: null })
  }
}

const watchOwn = (
  { connection, svcMeetId }: Visit,
  admissionId: string,
  signal: AbortSignal,
): AsyncIterable<AdmissionStanding> =>
  listen(connection, watchAdmission, { params: { svcMeetId, admissionId } }, { signal })

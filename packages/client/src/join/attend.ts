import { type AdmissionUpdate, type Entering, watchAdmission, watchRoom } from '@parley/contract'
import { DisconnectReason } from 'livekit-client'
import { backOffMs } from '../back-off.ts'
import { now, random } from '../clock-and-random.ts'
import { listen } from '../listen-to-stream.ts'
import { pause } from '../pause.ts'
import { type ConnectOptions, ProblemError } from '../send.ts'
import type { RoomConnection } from './inside.ts'
import { endOf, nextStep, type Step, toWaiting } from './next-step.ts'
import type { RoomEnd, RoomSnapshot } from './room.ts'
import { isSame, type Store } from './store.ts'

/** How long to retry without a response, both to enter and to reconnect. */
const giveUpMs = 2 * 60_000

/** The longest delay between two checks of the opening, because clocks differ and meetings are moved. */
const maxPollMs = 60_000
const minPollMs = 2_000

type Participation = {
  store: Store<RoomSnapshot>
  connection: ConnectOptions
  svcMeetId: string
  /** Aborted when the caller leaves. */
  leaving: AbortSignal
  enter(): Promise<Entering>
  /** @throws when no connection can be established */
  connect(step: Extract<Step, { kind: 'connect' }>, entering: Entering): Promise<RoomConnection>
  /** Called when the caller has to wait and sends no media any more. */
  onWaiting(): void
}

/** Take part in a meeting until its end: enter, wait, connect, and reconnect after a lost connection. */
export async function attend(participation: Participation): Promise<RoomEnd> {
  const { store, leaving } = participation
  let wasInside = false
  let failures = 0
  let failingSince: Date | undefined

  while (!leaving.aborted) {
    if (failures > 0) {
      await pause(backOffMs(failures, random(), wasInside ? maxRetryInCallMs : undefined), leaving)
    }
    if (leaving.aborted) break
    try {
      const entering = await participation.enter()
      if (leaving.aborted) break
      const { meeting, role, devices, pin } = entering
      store.change({
        ...(meeting && { meeting }),
        ...(role && { role }),
        ...(pin !== undefined && { pin }),
        ...(devices && { hardMuted: devices.hardMuted, allowed: devices.allowed }),
      })
      const step = nextStep(entering, wasInside)
      if (step.kind === 'end') return step.end
      if (step.kind === 'wait') {
        await waitForAdmission(participation, step)
      } else {
        if (!wasInside) store.change({ status: { phase: 'connecting' } })
        const inside = await participation.connect(step, entering)
        wasInside = true
        const { reason, end } = await waitUntilDisconnected(participation, step.admissionId, inside)
        if (leaving.aborted) break
        if (end !== undefined) return end
        if (reason === DisconnectReason.DUPLICATE_IDENTITY) return { reason: 'elsewhere' }
        // Reconnecting would only repeat it. LiveKit uses this reason for telephone calls only.
        if (reason === DisconnectReason.USER_REJECTED) return { reason: 'too_much_sent' }
        store.change({ status: { phase: 'reconnecting' } })
      }
      failures = 0
      failingSince = undefined
    } catch (error) {
      if (leaving.aborted) break
      if (error instanceof ProblemError && isFinal(error)) return { reason: 'failed', problem: error.problem }
      failures += 1
      failingSince ??= now()
      if (now().getTime() - failingSince.getTime() > giveUpMs) return { reason: 'lost', error }
      // Without this, the caller would not see for two minutes that the address is wrong.
      if (store.snapshot().status.phase === 'requesting')
        store.change({ status: { phase: 'requesting', failing: { attempts: failures, error } } })
    }
  }
  return { reason: 'left' }
}

/** People in a call are back within seconds of the service, so their pauses stay short. */
const maxRetryInCallMs = 3000

const isFinal = (error: ProblemError) => {
  const { status } = error.problem
  return status < 500 && status !== 408 && status !== 429 && !isAdmissionGone(error)
}

/** An admission that waits is deleted after ten seconds without a stream; entering again creates another. */
const isAdmissionGone = ({ problem }: ProblemError) => problem.code === 'admission_not_found'

/** Wait until entering is worth another attempt. */
async function waitForAdmission(
  participation: Participation,
  { status, admissionId }: Extract<Step, { kind: 'wait' }>,
): Promise<void> {
  const { store, leaving } = participation
  participation.onWaiting()
  store.change({ status })
  if (admissionId === undefined) return pause(pollDelayMs(status.opensAt), leaving)
  let hasReceived = false
  try {
    for await (const update of watchOwn(participation, admissionId, leaving)) {
      const { state } = update
      hasReceived = true
      if (state !== 'waiting' && state !== 'waiting_for_host' && state !== 'too_early') return
      store.change({ status: toWaiting(state, update) })
    }
  } catch (error) {
    // The admission was deleted; enter again.
    if (!hasReceived || !(error instanceof ProblemError) || !isAdmissionGone(error)) throw error
  }
}

function pollDelayMs(opensAt: string | undefined): number {
  const untilMs = opensAt === undefined ? maxPollMs : new Date(opensAt).getTime() - now().getTime()
  return Math.min(maxPollMs, Math.max(minPollMs, untilMs)) + random() * minPollMs
}

/** How long to ask why the media server has disconnected the caller, before entering again. */
const askForEndMs = 5_000

/** The media server's reasons for disconnecting participants at the service's request. */
const disconnectedByService: ReadonlySet<DisconnectReason | undefined> = new Set([
  DisconnectReason.ROOM_DELETED,
  DisconnectReason.PARTICIPANT_REMOVED,
])

type Disconnected = { reason: DisconnectReason | undefined; end: RoomEnd | undefined }

/**
 * Wait for the end of the connection; the result is the end of the visit where a host has ended it. The service may
 * report the end before the media server does. An attempt to enter again would not show it: a person's own room opens
 * again at once.
 */
async function waitUntilDisconnected(
  participation: Participation,
  admissionId: string,
  inside: RoomConnection,
): Promise<Disconnected> {
  const { store, leaving } = participation
  const over = new AbortController()
  const disconnect = () => void inside.livekit.disconnect()
  leaving.addEventListener('abort', disconnect)
  if (leaving.aborted) disconnect()
  store.change({ status: { phase: 'inside' } })
  let end: RoomEnd | undefined
  void followOwnAdmission(participation, admissionId, over.signal).then((found) => {
    end = found
    disconnect()
  })
  try {
    const reason = await inside.ended
    over.abort()
    if (end === undefined && disconnectedByService.has(reason)) end = await findEnd(participation, admissionId)
    return { reason, end }
  } finally {
    over.abort()
    leaving.removeEventListener('abort', disconnect)
    store.change({ hostView: null })
  }
}

/** Ask the service whether a host has ended the visit. Undefined when no host has, or when there is no answer. */
async function findEnd(participation: Participation, admissionId: string): Promise<RoomEnd | undefined> {
  const asking = new AbortController()
  const stop = () => asking.abort()
  participation.leaving.addEventListener('abort', stop)
  void pause(askForEndMs, asking.signal).then(stop)
  try {
    for await (const { state } of watchOwn(participation, admissionId, asking.signal)) return endOf(state)
  } catch {
    // The admission is gone: enter again to learn why.
  } finally {
    stop()
    participation.leaving.removeEventListener('abort', stop)
  }
  return undefined
}

/**
 * Copy the caller's admission into the snapshot, and for hosts the room's admissions, until the caller is no longer
 * admitted. Return the end of the visit where a host has ended it.
 */
async function followOwnAdmission(
  participation: Participation,
  admissionId: string,
  signal: AbortSignal,
): Promise<RoomEnd | undefined> {
  const { store } = participation
  let roomWatch: AbortController | undefined
  signal.addEventListener('abort', () => roomWatch?.abort())
  try {
    for await (const update of watchOwn(participation, admissionId, signal)) {
      const { state, role, cancelled = false, hardMuted, unmuteAskedOn } = update
      const before = store.snapshot().allowed
      const spotlight = keepEqual(store.snapshot().spotlight, update.spotlight)
      const allowed = isSame(before, update.allowed) ? before : update.allowed
      const breakout = keepEqual(store.snapshot().breakout, update.breakout)
      if (state !== 'admitted') return endOf(state)
      store.change({ role, cancelled, hardMuted, allowed, spotlight, breakout, endsAt: update.endsAt, unmuteAskedOn })
      if (role === 'participant') {
        roomWatch?.abort()
        roomWatch = undefined
        store.change({ hostView: null })
      } else if (roomWatch === undefined) {
        roomWatch = new AbortController()
        void followRoom(participation, roomWatch.signal)
      }
    }
  } catch {
    // Refused: enter again to learn whether the caller is still admitted.
  }
  return undefined
}

/** The value as it was, if the new one has the same content: unchanged parts of the snapshot keep their identity. */
const keepEqual = <Value>(before: Value, value: Value): Value =>
  JSON.stringify(before) === JSON.stringify(value) ? before : value

async function followRoom({ store, connection, svcMeetId }: Participation, signal: AbortSignal): Promise<void> {
  try {
    for await (const watch of listen(connection, watchRoom, { params: { svcMeetId } }, { signal })) {
      if (!signal.aborted) store.change({ hostView: watch })
    }
  } catch {
    // A watch that was replaced no longer writes.
    if (!signal.aborted) store.change({ hostView: null })
  }
}

const watchOwn = (
  { connection, svcMeetId }: Participation,
  admissionId: string,
  signal: AbortSignal,
): AsyncIterable<AdmissionUpdate> =>
  listen(connection, watchAdmission, { params: { svcMeetId, admissionId } }, { signal })

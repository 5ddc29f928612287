import { askAgainInMs, decisionOf, isEndedFor, stillWaits } from '@parley/rules/rooms/kept-admission'
import { lockCredentialForShare } from '../../access/credentials/lock-credential.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { recordParticipantEvents } from '../participant-events.ts'
import { publishAdmissionChange } from '../room-topics.ts'
import {
  type AdmissionRow,
  changeAdmission,
  countWaiting,
  findAccountName,
  findRoomOccupancy,
  insertAdmission,
  lockOwnAdmission,
  maxWaiting,
} from './admission-store.ts'
import { type Evaluation, evaluateVisitor, type VisitorSituation } from './evaluate-visitor.ts'
import { isHardMuted } from './may-unmute.ts'
import type { Person } from './person.ts'

type EntryRequest = Omit<VisitorSituation, 'own' | 'isInside'> & {
  person: Person
  /** The name that a guest gave; accounts have a name of their own. */
  guestName: string
  /** A denied person asks the host to reconsider. */
  asksAgain: boolean
  newId: string
}

export type EntryOutcome = Evaluation & {
  /** The stored admission; undefined if nothing had to be stored. */
  kept: AdmissionRow | undefined
}

/** Evaluate a request to enter and store it. The row is locked meanwhile, so that no host decides on it. */
export async function requestEntry(database: Database, request: EntryRequest, now: Date): Promise<EntryOutcome> {
  const attempt = () => inTransaction(database, (tx) => evaluateAndStore(tx, request, now))
  // Undefined: a concurrent request of the same person inserted the row first, and the second attempt finds it.
  const outcome = (await attempt()) ?? (await attempt())
  if (outcome === undefined) throw new Error('An admission was inserted and deleted concurrently, twice')
  return outcome
}

async function evaluateAndStore(tx: Tx, request: EntryRequest, now: Date): Promise<EntryOutcome | undefined> {
  const { row, person, caller } = request
  if (caller !== undefined && !(await lockCredentialForShare(tx, caller))) throw problem('unauthorized')
  const stored = await lockOwnAdmission(tx, row.id, person)
  const own = stored && request.asksAgain ? reopenDenied(stored, now) : stored
  const occupancy = await findRoomOccupancy(tx, row.id, own?.id)
  const evaluation = evaluateVisitor({ ...request, own, isInside: false }, occupancy, now)
  const waitsAlready = stored !== undefined && stillWaits(stored, now) && !isEndedFor(stored, row.endedAt)
  const { state } = evaluation.admission
  const startsWaiting = (state === 'waiting' || state === 'waiting_for_host') && !waitsAlready
  if (startsWaiting && (await countWaiting(tx, row.id, now)) >= maxWaiting) {
    return { ...evaluation, admission: { state: 'full' }, kept: undefined }
  }
  const kept = await composeRow(tx, request, { own, evaluation, waitsAlready, now })
  if (kept === undefined) return { ...evaluation, kept }
  if (own === undefined) {
    const { inside, hasEntered, inCall, ...inserted } = kept
    if (!(await insertAdmission(tx, { ...inserted, ...person }))) return undefined
  } else {
    const { id, inside, hasEntered, inCall, meetingId, accountId, guestHash, ...changes } = kept
    await changeAdmission(tx, id, changes)
  }
  const isAdmittedNow = state === 'admitted' && evaluation.decision !== 'admitted'
  if (isAdmittedNow) await recordParticipantEvents(tx, 'participant.admitted', [kept.id], kept.grantId, now)
  if (startsWaiting && kept.state === state)
    await recordParticipantEvents(tx, 'participant.waiting', [kept.id], kept.grantId, now)
  const isBack = !waitsAlready && kept.state !== 'admitted' && kept.state !== 'denied'
  if (stored?.state !== kept.state || stored.name !== kept.name || isBack)
    await publishAdmissionChange(tx, row.id, kept.id)
  return { ...evaluation, kept }
}

/**
 * Treat a denied person as waiting, which the rule evaluates as asking again. Unchanged for others and before the pause
 * is over.
 */
function reopenDenied(stored: AdmissionRow, now: Date): AdmissionRow {
  const isTurnedAway = decisionOf(stored, { occurrence: undefined, endedAt: null }, now) === 'denied'
  return isTurnedAway && askAgainInMs(stored, now) === 0 ? { ...stored, state: 'waiting', seenAt: now } : stored
}

type RowBasis = { own: AdmissionRow | undefined; evaluation: Evaluation; waitsAlready: boolean; now: Date }

/** The row to store; undefined if the person can neither enter nor wait, and nothing is stored. */
async function composeRow(tx: Tx, request: EntryRequest, basis: RowBasis): Promise<AdmissionRow | undefined> {
  const { row, person, guestName, newId } = request
  const { own, evaluation, waitsAlready, now } = basis
  const { admission, visitor, granted, decision, occurrence, outlivesCancellation } = evaluation
  const { state } = admission
  if (state !== 'waiting_for_host' && state !== 'waiting' && state !== 'denied' && state !== 'admitted')
    return undefined
  const name = person.accountId === null ? guestName || (own?.name ?? '') : await findAccountName(tx, person.accountId)
  const credential = request.caller?.credential
  const grantId = credential?.kind === 'oauth' ? credential.grantId : null
  const seen = { name, grantId, role: visitor.role, seenAt: now }
  // A decision that still holds is kept, even if the person has to wait for the host again.
  if (own !== undefined && (decision === 'denied' || decision === 'admitted') && state !== 'admitted') {
    const isTurnedAway = decision === 'denied'
    return { ...own, ...seen, askedAt: now, ...(isTurnedAway && { state: 'denied' as const }) }
  }
  const wasAdmitted = decision === 'admitted'
  const hardMuted = isHardMuted(wasAdmitted ? own : undefined, visitor.role, row)
  return {
    id: own?.id ?? newId,
    meetingId: row.id,
    ...person,
    ...seen,
    state,
    hardMuted,
    // The call of a cancelled date admits to no other date.
    occurrenceAt: (outlivesCancellation ? own?.occurrenceAt : occurrence?.originalStart) ?? now,
    askedAt: waitsAlready && own && state !== 'admitted' ? own.askedAt : now,
    decidedAt: decidedAtOf(state, own, decision, now),
    grantedRole: state === 'admitted' ? granted : null,
    unmuteAskedAt: wasAdmitted && own ? own.unmuteAskedAt : null,
    inside: own?.inside ?? false,
    hasEntered: own?.hasEntered ?? false,
    inCall: own?.inCall ?? false,
  }
}

/** An admission that holds, and a denial that is asked about again, keep their time. */
function decidedAtOf(
  state: Evaluation['admission']['state'],
  own: AdmissionRow | undefined,
  decision: Evaluation['decision'],
  now: Date,
): Date | null {
  if (state === 'admitted') return decision === 'admitted' && own ? own.decidedAt : now
  return decision === 'asks_again' && own ? own.decidedAt : null
}

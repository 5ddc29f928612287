import { askAgainInMs, decisionOf, isEndedFor, stillWaits } from '@parley/rules/rooms/kept-admission'
import { holdCredential } from '../../access/credentials/hold-credential.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Database, Tx } from '../../tables/tables.ts'
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
import { type Evaluation, evaluateVisitor, type Visit } from './evaluate-visitor.ts'
import { isHardMuted } from './may-unmute.ts'
import type { Person } from './person.ts'

export type Asking = Omit<Visit, 'own' | 'heading'> & {
  person: Person
  /** What a guest calls themselves; accounts have a name. */
  guestName: string
  /** They were turned away, and ask a host to think again. */
  asksAgain: boolean
  newId: string
}

export type Asked = Evaluation & {
  /** What is kept of them by now; undefined where nothing had to be. */
  kept: AdmissionRow | undefined
}

/** Judges somebody who asks to enter, and keeps that they did: no host decides about them meanwhile. */
export async function askToEnter(database: Database, asking: Asking, now: Date): Promise<Asked> {
  const once = () => inTransaction(database, (tx) => evaluateAndKeep(tx, asking, now))
  // The same person asked twice at once, and the other one was first: now there is a row.
  const asked = (await once()) ?? (await once())
  if (asked === undefined) throw new Error('An admission was made and taken away at once, twice')
  return asked
}

async function evaluateAndKeep(tx: Tx, asking: Asking, now: Date): Promise<Asked | undefined> {
  const { row, person, caller } = asking
  if (caller !== undefined && !(await holdCredential(tx, caller))) throw problem('unauthorized')
  const stored = await lockOwnAdmission(tx, row.id, person)
  const own = stored && asking.asksAgain ? afterAskingAgain(stored, now) : stored
  const standing = await findRoomOccupancy(tx, row.id, own?.id)
  const evaluation = evaluateVisitor({ ...asking, own, heading: 'in' }, standing, now)
  const waitsAlready = stored !== undefined && stillWaits(stored, now) && !isEndedFor(stored, row.endedAt)
  const { state } = evaluation.admission
  const joinsTheLine = (state === 'waiting' || state === 'waiting_for_host') && !waitsAlready
  if (joinsTheLine && (await countWaiting(tx, row.id, now)) >= maxWaiting) {
    return { ...evaluation, admission: { state: 'full' }, kept: undefined }
  }
  const kept = await rowAfter(tx, asking, { own, evaluation, waitsAlready, now })
  if (kept === undefined) return { ...evaluation, kept }
  if (own === undefined) {
    const { inside, hasEntered, ...inserted } = kept
    if (!(await insertAdmission(tx, { ...inserted, ...person }))) return undefined
  } else {
    const { id, inside, hasEntered, meetingId, accountId, guestHash, ...changes } = kept
    await changeAdmission(tx, id, changes)
  }
  const isBack = !waitsAlready && kept.state !== 'admitted' && kept.state !== 'denied'
  if (stored?.state !== kept.state || stored.name !== kept.name || isBack)
    await publishAdmissionChange(tx, row.id, kept.id)
  return { ...evaluation, kept }
}

/** As if they waited: the evaluation then finds that they ask again. Unchanged for whoever is not turned away, or asks too soon. */
function afterAskingAgain(stored: AdmissionRow, now: Date): AdmissionRow {
  const isTurnedAway = decisionOf(stored, { occurrence: undefined, endedAt: null }, now) === 'denied'
  return isTurnedAway && askAgainInMs(stored, now) === 0 ? { ...stored, state: 'waiting', seenAt: now } : stored
}

type Before = { own: AdmissionRow | undefined; evaluation: Evaluation; waitsAlready: boolean; now: Date }

/** The row as it is to be; undefined for whoever can only be sent away, of whom nothing is kept. */
async function rowAfter(tx: Tx, asking: Asking, before: Before): Promise<AdmissionRow | undefined> {
  const { row, person, guestName, newId } = asking
  const { own, evaluation, waitsAlready, now } = before
  const { admission, tie, granted, decision, occurrence } = evaluation
  const { state } = admission
  if (state !== 'waiting_for_host' && state !== 'waiting' && state !== 'denied' && state !== 'admitted')
    return undefined
  const name = person.accountId === null ? guestName || (own?.name ?? '') : await findAccountName(tx, person.accountId)
  const credential = asking.caller?.credential
  const grantId = credential?.kind === 'oauth' ? credential.grantId : null
  const seen = { name, grantId, role: tie.role, seenAt: now }
  // What was decided stays decided while it holds, also for whoever has to wait for the host again.
  if (own !== undefined && (decision === 'denied' || decision === 'admitted') && state !== 'admitted') {
    const isTurnedAway = decision === 'denied'
    return { ...own, ...seen, askedAt: now, ...(isTurnedAway && { state: 'denied' as const }) }
  }
  const wasAdmitted = decision === 'admitted'
  const hardMuted = isHardMuted(wasAdmitted ? own : undefined, tie.role, row)
  return {
    ...{ id: own?.id ?? newId, meetingId: row.id, ...person, ...seen, state, hardMuted },
    occurrenceAt: occurrence?.startsAt ?? now,
    askedAt: waitsAlready && own && state !== 'admitted' ? own.askedAt : now,
    decidedAt:
      state !== 'admitted'
        ? decision === 'asks_again' && own
          ? own.decidedAt
          : null
        : wasAdmitted && own
          ? own.decidedAt
          : now,
    grantedRole: state === 'admitted' ? granted : null,
    unmuteAskedAt: wasAdmitted && own ? own.unmuteAskedAt : null,
    inside: own?.inside ?? false,
    hasEntered: own?.hasEntered ?? false,
  }
}

import { isEndedFor, stillWaits } from '@parley/rules/kept-admission'
import type { Database, Tx } from '../../migrations/tables.ts'
import { holdCredential } from '../access/hold-credential.ts'
import { inTransaction } from '../platform/database.ts'
import { problem } from '../platform/problem.ts'
import {
  type AdmissionRow,
  changeAdmission,
  countWaiting,
  findAccountName,
  findStanding,
  insertAdmission,
  lockOwnAdmission,
  mostWaiting,
} from './admission-store.ts'
import { isHardMuted } from './is-hard-muted.ts'
import { type Judgement, judgeVisitor, type Visit } from './judge-visitor.ts'
import type { Person } from './person.ts'
import { announceAdmission } from './room-topics.ts'

export type Asking = Omit<Visit, 'own' | 'heading'> & {
  person: Person
  /** What a guest calls themselves; accounts have a name. */
  guestName: string
  newId: string
}

export type Asked = Judgement & {
  /** What is kept of them by now; undefined where nothing had to be. */
  kept: AdmissionRow | undefined
}

/** Judges somebody who asks to enter, and keeps that they did: no host decides about them meanwhile. */
export async function askToEnter(database: Database, asking: Asking, now: Date): Promise<Asked> {
  const once = () => inTransaction(database, (tx) => judgeAndKeep(tx, asking, now))
  // The same person asked twice at once, and the other one was first: now there is a row.
  const asked = (await once()) ?? (await once())
  if (asked === undefined) throw new Error('An admission was made and taken away at once, twice')
  return asked
}

async function judgeAndKeep(tx: Tx, asking: Asking, now: Date): Promise<Asked | undefined> {
  const { row, person, caller } = asking
  if (caller !== undefined && !(await holdCredential(tx, caller))) throw problem('unauthorized')
  const own = await lockOwnAdmission(tx, row.id, person)
  const standing = await findStanding(tx, row.id, own?.id)
  const judgement = judgeVisitor({ ...asking, own, heading: 'in' }, standing, now)
  const waitsAlready = own !== undefined && stillWaits(own, now) && !isEndedFor(own, row.endedAt)
  const { state } = judgement.admission
  const joinsTheLine = (state === 'waiting' || state === 'waiting_for_host') && !waitsAlready
  if (joinsTheLine && (await countWaiting(tx, row.id, now)) >= mostWaiting) {
    return { ...judgement, admission: { state: 'full' }, kept: undefined }
  }
  const kept = await rowAfter(tx, asking, { own, judgement, waitsAlready, now })
  if (kept === undefined) return { ...judgement, kept }
  if (own === undefined) {
    const { inside, hasEntered, ...inserted } = kept
    if (!(await insertAdmission(tx, { ...inserted, ...person }))) return undefined
  } else {
    const { id, inside, hasEntered, meetingId, accountId, guestHash, ...changes } = kept
    await changeAdmission(tx, id, changes)
  }
  const isBack = !waitsAlready && kept.state !== 'admitted' && kept.state !== 'denied'
  if (own?.state !== kept.state || own.name !== kept.name || isBack) await announceAdmission(tx, row.id, kept.id)
  return { ...judgement, kept }
}

type Before = { own: AdmissionRow | undefined; judgement: Judgement; waitsAlready: boolean; now: Date }

/** The row as it is to be; undefined for whoever can only be sent away, of whom nothing is kept. */
async function rowAfter(tx: Tx, asking: Asking, before: Before): Promise<AdmissionRow | undefined> {
  const { row, person, guestName, newId } = asking
  const { own, judgement, waitsAlready, now } = before
  const { admission, tie, granted, decision, occurrence } = judgement
  const { state } = admission
  if (state !== 'waiting_for_host' && state !== 'waiting' && state !== 'denied' && state !== 'admitted')
    return undefined
  const name = person.accountId === null ? guestName || (own?.name ?? '') : await findAccountName(tx, person.accountId)
  const credential = asking.caller?.credential
  const grantId = credential?.kind === 'oauth' ? credential.grantId : null
  const seen = { name, grantId, role: tie.role, seenAt: now }
  // What was decided stays decided while it holds, also for whoever has to wait for the host again.
  if (own !== undefined && (decision === 'denied' || decision === 'admitted') && state !== 'admitted') {
    return { ...own, ...seen, askedAt: now }
  }
  const wasAdmitted = decision === 'admitted'
  const hardMuted = isHardMuted(wasAdmitted ? own : undefined, tie.role, row)
  return {
    ...{ id: own?.id ?? newId, meetingId: row.id, ...person, ...seen, state, hardMuted },
    occurrenceAt: occurrence?.startsAt ?? now,
    askedAt: waitsAlready && own && state !== 'admitted' ? own.askedAt : now,
    decidedAt: state !== 'admitted' ? null : wasAdmitted && own ? own.decidedAt : now,
    grantedRole: state === 'admitted' ? granted : null,
    unmuteAskedAt: wasAdmitted && own ? own.unmuteAskedAt : null,
    inside: own?.inside ?? false,
    hasEntered: own?.hasEntered ?? false,
  }
}

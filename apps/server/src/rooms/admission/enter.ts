import { type Entering, enterRoom, type StartingDevices } from '@parley/contract'
import { type Admission, needsPin } from '@parley/rules/rooms/admission'
import { askAgainInMs, decisionOf, isEndedFor, stillWaits } from '@parley/rules/rooms/kept-admission'
import { readPlainText } from '@parley/rules/text/plain-text'
import { readOptional } from '@parley/rules/text/reading'
import { holdsScope } from '../../access/caller.ts'
import { lockCredentialForShare } from '../../access/credentials/lock-credential.ts'
import { networkOf } from '../../access/network.ts'
import { lastNameLimits } from '../../accounts/account/person-fields.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { RoomsService } from '../dependencies.ts'
import { recordParticipantEvents } from '../participant-events.ts'
import { publishAdmissionChange } from '../room-topics.ts'
import {
  type AdmissionRow,
  changeAdmission,
  countWaiting,
  findAccountName,
  findOwnAdmission,
  findPeopleInside,
  findRoomOccupancy,
  insertAdmission,
  lockOwnAdmission,
  maxWaiting,
  type Person,
} from './admission-store.ts'
import { type Attempter, checkSecrets, decryptEntrySecrets, findMeetingByCode } from './entry-checks.ts'
import { type MeetingForEntry, viewMeetingForEntry } from './meeting-for-entry.ts'
import { type Evaluation, evaluateVisitor, guestOf, isHardMuted, personOf, type VisitorSituation } from './visitor.ts'

/**
 * Evaluate a request to enter a meeting, store it, and grant media to an admitted person (docs/api-conventions.md,
 * "Entering a meeting").
 */
export function serveEnterRoom({ serve, clock, random, encryption, attemptLimits, guestCookie, media }: RoomsService) {
  /** Only for an admitted person, who could see these people inside. */
  async function viewPeopleInside(
    database: Database,
    { id, meetingId }: AdmissionRow,
    { occupancy: { others: count } }: EntryOutcome,
  ) {
    const people = count === 0 ? [] : await findPeopleInside(database, meetingId, id, maxNamesInside)
    return { inside: { count, people } }
  }

  /** Called after the admission is committed, so that only admitted people hold a token. */
  async function grantMedia({ options }: MeetingForEntry, kept: AdmissionRow, { visitor: { role } }: EntryOutcome) {
    const { id: admissionId, meetingId, name, hardMuted } = kept
    const isHost = role !== 'participant'
    const devices: StartingDevices = {
      camera: isHost ? options.hostVideo : options.participantVideo,
      microphone: isHost ? options.hostAudio : options.participantAudio && !hardMuted,
      hardMuted,
    }
    if (media === undefined) return { devices }
    return {
      devices,
      media: await media.grant({ meetingId, admissionId, name, role, guest: kept.accountId === null, hardMuted }),
    }
  }

  serve(enterRoom, {
    read: ({ body }) => readOptional(body.name, (text) => readPlainText('/name', text, lastNameLimits)),
    handle: async ({ caller, params, body, input: name, request, answer, database }): Promise<Entering> => {
      const now = clock.now()
      const { address } = request
      const found = await findMeetingByCode({ database, attemptLimits }, params.svcMeetId, { caller, address })
      if (found.kind === 'not-found') return { state: 'not_found' }
      if (found.kind === 'paused') return { state: 'slow_down', retryAfter: found.pauseSeconds }
      const { row } = found
      const known = personOf(guestCookie, { caller, request })
      const own = known && (await findOwnAdmission(database, row.id, known))
      const relation = relationTo({ row, caller, own }, now)
      const secrets = decryptEntrySecrets(encryption, row)
      const attempter = { meetingId: row.id, address, relation, personId: caller?.accountId ?? own?.id ?? '' }
      const check = await checkSecrets(attemptLimits, { pin: body.pin, hostKey: body.hostKey }, secrets, attempter)
      if (found.pauseSeconds !== undefined && relation === 'stranger' && !check.hosts) {
        return { state: 'slow_down', retryAfter: found.pauseSeconds }
      }
      const situation = { row, caller, pin: check.pin, bringsHostSecret: check.hosts }
      // Without the PIN a visitor learns nothing of the room, and nothing is stored.
      if (relation !== 'member' && check.pin !== 'right') {
        const { admission } = evaluateVisitor({ ...situation, own: undefined, isInside: false }, emptyRoom, now)
        const isPaused = admission.state === 'slow_down' && check.pin === 'paused'
        return { ...toReply(admission), ...(isPaused && { retryAfter: check.pauseSeconds }) }
      }

      const newCookie = known === undefined ? guestCookie.make() : undefined
      const person = known ?? guestOf(newCookie?.id ?? '')
      const network = networkOf(address)
      // The limit does not apply to the host.
      const isNewGuest = newCookie !== undefined && !check.hosts
      const retryAfter = isNewGuest ? await attemptLimits.findPause('guestsOfNetwork', network) : undefined
      if (retryAfter !== undefined) return { state: 'slow_down', retryAfter }
      const entryRequest = {
        ...situation,
        person,
        guestName: name?.trim() ?? '',
        asksAgain: body.askAgain ?? false,
        newId: random.uuid(now),
      }
      const outcome = await requestEntry(database, entryRequest, now)
      const { admission, visitor, kept } = outcome
      if (newCookie !== undefined && kept !== undefined) {
        // Concurrent requests may exceed the limit by a few; the next request is refused.
        await attemptLimits.count('guestsOfNetwork', network)
        answer.header('set-cookie', newCookie.setCookie)
      }
      return {
        ...toReply(admission),
        role: visitor.role,
        meeting: viewMeetingForEntry(row, outcome.occurrence),
        ...(kept !== undefined && { admissionId: kept.id }),
        ...(kept !== undefined && admission.state === 'denied' && pauseBeforeRequest(kept, now)),
        ...(admission.state === 'waiting' && { hostInside: outcome.occupancy.hostIsIn }),
        ...(kept !== undefined && admission.state === 'admitted' && (await grantMedia(row, kept, outcome))),
        ...(kept !== undefined && admission.state === 'admitted' && (await viewPeopleInside(database, kept, outcome))),
        // Visitors who need no PIN receive it to give it to guests. Accounts can read it with the meeting anyway.
        ...(!needsPin(visitor) && (caller === undefined || holdsScope(caller, 'meeting:read')) && { pin: secrets.pin }),
      }
    },
  })
}

/** The time in seconds until a denied person may ask again, if any. */
function pauseBeforeRequest(kept: AdmissionRow, now: Date): { retryAfter?: number } {
  const pauseMs = askAgainInMs(kept, now)
  return pauseMs > 0 ? { retryAfter: Math.ceil(pauseMs / 1000) } : {}
}

/** The lobby shows this many names and a count of the others. */
const maxNamesInside = 3

const emptyRoom = { hostIsIn: false, others: 0 }

/** The visitor's relation to the meeting before any PIN or key is compared. */
function relationTo(known: Pick<VisitorSituation, 'row' | 'caller' | 'own'>, now: Date): Attempter['relation'] {
  const situation = { ...known, pin: 'missing', bringsHostSecret: false, isInside: false } as const
  const { visitor } = evaluateVisitor(situation, emptyRoom, now)
  if (!needsPin(visitor)) return 'member'
  return known.own === undefined ? 'stranger' : 'known'
}

function toReply(admission: Admission): Entering {
  if (admission.state !== 'too_early') return { state: admission.state }
  return { state: 'too_early', opensAt: admission.opensAt.toISOString() }
}

type EntryRequest = Omit<VisitorSituation, 'own' | 'isInside'> & {
  person: Person
  /** The name that a guest gave; accounts have a name of their own. */
  guestName: string
  /** A denied person asks the host to reconsider. */
  asksAgain: boolean
  newId: string
}

type EntryOutcome = Evaluation & {
  /** The stored admission; undefined if nothing had to be stored. */
  kept: AdmissionRow | undefined
}

/** Evaluate a request to enter and store it. The row is locked meanwhile, so that no host decides on it. */
async function requestEntry(database: Database, request: EntryRequest, now: Date): Promise<EntryOutcome> {
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

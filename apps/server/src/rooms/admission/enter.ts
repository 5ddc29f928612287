import { type AllowedRights, type Entering, enterRoom, type StartingDevices } from '@parley/contract'
import { type AdmissionVerdict, needsPin } from '@parley/rules/rooms/admission'
import { currentRoomOf, openBreakout } from '@parley/rules/rooms/breakout-rooms'
import { type NameInCall, renamed } from '@parley/rules/rooms/renaming'
import { askAgainInMs, decisionOf, isEndedFor, stillWaits } from '@parley/rules/rooms/stored-admission'
import { readOptional } from '@parley/rules/text/parsed'
import { readPlainText } from '@parley/rules/text/plain-text'
import { holdsScope } from '../../access/caller.ts'
import { lockCredentialForShare } from '../../access/credentials/lock-credential.ts'
import { networkOf } from '../../access/network.ts'
import { lastNameLimits } from '../../accounts/account/person-fields.ts'
import { viewLook } from '../../accounts/organisation-store.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { recordParticipantEvents } from '../participant-events.ts'
import { publishAdmissionChange } from '../room-topics.ts'
import {
  type AdmissionRow,
  countWaiting,
  type EnteringPerson,
  findAccountName,
  findOwnAdmission,
  findRoomOccupancy,
  insertAdmission,
  listPeopleInside,
  lockOwnAdmission,
  maxWaitingPeople,
  type RoomOccupancy,
  updateAdmission,
} from './admission-store.ts'
import { type Attempter, checkSecrets, decryptEntrySecrets, findMeetingByCode } from './entry-checks.ts'
import { type MeetingForEntry, toEntryMeeting } from './meeting-for-entry.ts'
import { type Evaluation, evaluateVisitor, guestOf, personOf, type VisitorSituation } from './visitor.ts'

/**
 * Evaluate a request to enter a meeting, store it, and grant media to an admitted person (docs/rooms.md,
 * "Enter").
 */
export function registerEnterRoom(dependencies: Dependencies) {
  const { serve, clock, random, encryption, attemptLimits, guestCookie, media } = dependencies

  serve(enterRoom, {
    read: ({ body }) => readOptional(body.name, (text) => readPlainText('/name', text, lastNameLimits)),
    handle: async ({ caller, params, body, input: name, request, answer, database }): Promise<Entering> => {
      const now = clock.now()
      const { address } = request
      const found = await findMeetingByCode({ database, attemptLimits }, params.svcMeetId, { caller, address })
      if (found.kind === 'not-found') return { state: 'not_found' }
      if (found.kind === 'paused') return { state: 'slow_down', retryAfter: found.pauseSeconds }
      const { meeting } = found
      const knownPerson = personOf(guestCookie, { caller, request })
      const earlier = knownPerson && (await findOwnAdmission(database, meeting.id, knownPerson))
      const relation = relationTo({ meeting, caller, admission: earlier }, now)
      const secrets = decryptEntrySecrets(encryption, meeting)
      const attempter = { meetingId: meeting.id, address, relation, personId: caller?.accountId ?? earlier?.id ?? '' }
      const check = await checkSecrets(attemptLimits, { pin: body.pin, hostKey: body.hostKey }, secrets, attempter)
      if (found.pauseSeconds !== undefined && relation === 'stranger' && !check.hosts) {
        return { state: 'slow_down', retryAfter: found.pauseSeconds }
      }
      const situation = { meeting, caller, pin: check.pin, bringsHostSecret: check.hosts }
      // A visitor without the PIN learns nothing about the room, and nothing is stored.
      if (relation !== 'member' && check.pin !== 'right') {
        const { verdict } = evaluateVisitor({ ...situation, admission: undefined, isInside: false }, emptyRoom, now)
        const isPaused = verdict.state === 'slow_down' && check.pin === 'paused'
        return { ...toReply(verdict), ...(isPaused && { retryAfter: check.pauseSeconds }) }
      }

      const newCookie = knownPerson === undefined ? guestCookie.make() : undefined
      const person = knownPerson ?? guestOf(newCookie?.id ?? '')
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
      const { admission, verdict, visitor, allowed, callEnd, occurrence, occupancy } = await requestEntry(
        database,
        entryRequest,
        now,
      )
      if (newCookie !== undefined && admission !== undefined) {
        // Concurrent requests may exceed the limit by a few; the next request is refused.
        await attemptLimits.count('guestsOfNetwork', network)
        answer.header('set-cookie', newCookie.setCookie)
      }
      const isAdmitted = verdict.state === 'admitted'
      return {
        ...toReply(verdict),
        role: visitor.role,
        meeting: toEntryMeeting(meeting, occurrence),
        organisation: viewLook(meeting.host.brand),
        ...(admission !== undefined && { admissionId: admission.id, name: admission.name }),
        ...(admission !== undefined && verdict.state === 'denied' && pauseBeforeRequest(admission, now)),
        ...(verdict.state === 'waiting' && { hostInside: occupancy.hostIsIn }),
        endsAt: callEnd?.toISOString() ?? null,
        ...(isAdmitted && admission?.inside === true && { insideElsewhere: true as const }),
        ...(admission !== undefined && isAdmitted && (await grantMedia(media, meeting, { admission, allowed, now }))),
        ...(admission !== undefined && isAdmitted && (await describePeopleInside(database, admission, occupancy))),
        // Visitors who need no PIN receive it to give it to guests. Accounts can read it with the meeting anyway.
        ...(!needsPin(visitor) && (caller === undefined || holdsScope(caller, 'meeting:read')) && { pin: secrets.pin }),
      }
    },
  })
}

const emptyRoom = { hostIsIn: false, others: 0 }

/** The visitor's relation to the meeting before any PIN or key is compared. */
function relationTo(
  visitorAndMeeting: Pick<VisitorSituation, 'meeting' | 'caller' | 'admission'>,
  now: Date,
): Attempter['relation'] {
  const situation = { ...visitorAndMeeting, pin: 'missing', bringsHostSecret: false, isInside: false } as const
  const { visitor } = evaluateVisitor(situation, emptyRoom, now)
  if (!needsPin(visitor)) return 'member'
  return visitorAndMeeting.admission === undefined ? 'stranger' : 'known'
}

function toReply(verdict: AdmissionVerdict): Entering {
  if (verdict.state !== 'too_early') return { state: verdict.state }
  return { state: 'too_early', opensAt: verdict.opensAt.toISOString() }
}

/** The time in seconds until a denied person may ask again, if any. */
function pauseBeforeRequest(admission: AdmissionRow, now: Date): { retryAfter?: number } {
  const pauseMs = askAgainInMs(admission, now)
  return pauseMs > 0 ? { retryAfter: Math.ceil(pauseMs / 1000) } : {}
}

/** Grant media after the admission is committed, so that only admitted people hold a token. */
async function grantMedia(
  media: Dependencies['media'],
  { options, breakout }: MeetingForEntry,
  { admission, allowed, now }: { admission: AdmissionRow; allowed: AllowedRights; now: Date },
) {
  const { id: admissionId, meetingId, name, role } = admission
  const isHost = role !== 'participant'
  const devices: StartingDevices = {
    camera: isHost ? options.hostVideo : options.participantVideo && allowed.camera,
    microphone: isHost ? options.hostAudio : options.participantAudio && allowed.microphone,
    hardMuted: !allowed.microphone,
    allowed,
  }
  if (media === undefined) return { devices }
  const guest = admission.accountId === null
  const breakoutRoom = currentRoomOf(openBreakout(breakout, now), admission)
  return { devices, media: await media.grant({ meetingId, admissionId, name, role, guest, allowed, breakoutRoom }) }
}

/** The lobby shows this many names and a count of the others. */
const maxNamesInside = 3

/** Only for an admitted person, who could see these people inside. */
async function describePeopleInside(
  database: Database,
  { id, meetingId }: AdmissionRow,
  { others: count }: RoomOccupancy,
) {
  const people = count === 0 ? [] : await listPeopleInside(database, meetingId, id, maxNamesInside)
  return { inside: { count, people } }
}

type EntryRequest = Omit<VisitorSituation, 'admission' | 'isInside'> & {
  person: EnteringPerson
  /** The name that a guest gave; accounts have a name of their own. */
  guestName: string
  /** A denied person asks the host to reconsider. */
  asksAgain: boolean
  newId: string
}

type EntryOutcome = Evaluation & {
  /** The row as stored; undefined if nothing had to be stored. */
  admission: AdmissionRow | undefined
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
  const { meeting, person, caller } = request
  if (caller !== undefined && !(await lockCredentialForShare(tx, caller))) throw problem('unauthorized')
  const locked = await lockOwnAdmission(tx, meeting.id, person)
  const admission = locked && request.asksAgain ? reopenDenied(locked, now) : locked
  const occupancy = await findRoomOccupancy(tx, meeting.id, admission?.id)
  const evaluation = evaluateVisitor({ ...request, admission, isInside: false }, occupancy, now)
  const waitsAlready = locked !== undefined && stillWaits(locked, now) && !isEndedFor(locked, meeting.endedAt)
  const { state } = evaluation.verdict
  const startsWaiting = (state === 'waiting' || state === 'waiting_for_host') && !waitsAlready
  if (startsWaiting && (await countWaiting(tx, meeting.id, now)) >= maxWaitingPeople) {
    return { ...evaluation, verdict: { state: 'full' }, admission: undefined }
  }
  const changed = await applyEvaluation(tx, request, { admission, evaluation, waitsAlready, now })
  if (changed === undefined) return { ...evaluation, admission: undefined }
  const { id, meetingId, accountId, guestHash, inside, hasEntered, inCall, ...values } = changed
  if (admission !== undefined) await updateAdmission(tx, id, values)
  else if (!(await insertAdmission(tx, { id, meetingId, ...person, ...values }))) return undefined
  const isAdmittedNow = state === 'admitted' && evaluation.decision !== 'admitted'
  if (isAdmittedNow) await recordParticipantEvents(tx, 'participant.admitted', [id], changed.grantId, now)
  if (startsWaiting && changed.state === state)
    await recordParticipantEvents(tx, 'participant.waiting', [id], changed.grantId, now)
  const isBack = !waitsAlready && changed.state !== 'admitted' && changed.state !== 'denied'
  if (locked?.state !== changed.state || locked.name !== changed.name || isBack)
    await publishAdmissionChange(tx, meeting.id, id)
  return { ...evaluation, admission: changed }
}

/**
 * Treat a denied person as waiting, which the rule evaluates as asking again. Unchanged for others and before the pause
 * is over.
 */
function reopenDenied(admission: AdmissionRow, now: Date): AdmissionRow {
  const isDenied = decisionOf(admission, { occurrence: undefined, endedAt: null }, now) === 'denied'
  return isDenied && askAgainInMs(admission, now) === 0 ? { ...admission, state: 'waiting', seenAt: now } : admission
}

type AdmissionBasis = {
  admission: AdmissionRow | undefined
  evaluation: Evaluation
  waitsAlready: boolean
  now: Date
}

/** The admission to store; undefined if the person can neither enter nor wait. */
async function applyEvaluation(
  tx: Tx,
  request: EntryRequest,
  { admission, evaluation, waitsAlready, now }: AdmissionBasis,
): Promise<AdmissionRow | undefined> {
  const { meeting, person, guestName, newId } = request
  const { verdict, visitor, grantedRole, decision, occurrence, outlivesCancellation } = evaluation
  const { state } = verdict
  if (state !== 'waiting_for_host' && state !== 'waiting' && state !== 'denied' && state !== 'admitted')
    return undefined
  const accountName = person.accountId === null ? undefined : await findAccountName(tx, person.accountId)
  const known = decision !== 'none' || waitsAlready ? admission : undefined
  const names = namesOnEntering(known, accountName ?? (guestName || (admission?.name ?? '')), accountName !== undefined)
  const credential = request.caller?.credential
  const grantId = credential?.kind === 'oauth' ? credential.grantId : null
  const seen = { ...names, grantId, role: visitor.role, seenAt: now }
  // A decision that still holds is stored unchanged, even if the person has to wait for the host again.
  if (admission !== undefined && (decision === 'denied' || decision === 'admitted') && state !== 'admitted') {
    return { ...admission, ...seen, askedAt: now, ...(decision === 'denied' && { state: 'denied' }) }
  }
  const wasAdmitted = decision === 'admitted'
  return {
    id: admission?.id ?? newId,
    meetingId: meeting.id,
    ...person,
    ...seen,
    state,
    rights: wasAdmitted && admission ? admission.rights : {},
    // The call of a cancelled date admits to no other date.
    occurrenceAt: (outlivesCancellation ? admission?.occurrenceAt : occurrence?.originalStart) ?? now,
    askedAt: waitsAlready && admission && state !== 'admitted' ? admission.askedAt : now,
    decidedAt: decidedAtOf(state, admission, decision, now),
    grantedRole: state === 'admitted' ? grantedRole : null,
    unmuteAskedAt: wasAdmitted && admission ? admission.unmuteAskedAt : null,
    // A person who comes back is in the breakout room that they have left.
    breakoutRoom: wasAdmitted && admission ? admission.breakoutRoom : null,
    breakoutAway: wasAdmitted && admission ? admission.breakoutAway : false,
    helpAskedAt: wasAdmitted && admission ? admission.helpAskedAt : null,
    inside: admission?.inside ?? false,
    hasEntered: admission?.hasEntered ?? false,
    inCall: admission?.inCall ?? false,
  }
}

/**
 * The names of a person who enters. Hosts know the name of a person who was inside or waits. What an account has
 * changed in the call holds until the admission ends.
 */
function namesOnEntering(known: AdmissionRow | undefined, wanted: string, isAccount: boolean): NameInCall {
  if (known === undefined) return { name: wanted, formerName: null }
  if (isAccount && known.formerName !== null) return { name: known.name, formerName: known.formerName }
  const isKnownToHosts = !isAccount && (known.hasEntered || known.state !== 'admitted')
  if (!isKnownToHosts && known.formerName === null) return { name: wanted, formerName: null }
  return renamed(known, wanted)
}

/** An admission that holds, and a denial that is asked about again, keep their time. */
function decidedAtOf(
  state: AdmissionVerdict['state'],
  admission: AdmissionRow | undefined,
  decision: Evaluation['decision'],
  now: Date,
): Date | null {
  if (state === 'admitted') return decision === 'admitted' && admission ? admission.decidedAt : now
  return decision === 'asks_again' && admission ? admission.decidedAt : null
}

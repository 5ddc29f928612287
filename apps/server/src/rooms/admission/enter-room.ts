import { type Entering, enterRoom, type StartingDevices } from '@parley/contract'
import { type Admission, needsPin } from '@parley/rules/rooms/admission'
import { askAgainInMs } from '@parley/rules/rooms/kept-admission'
import { holdsScope } from '../../access/caller.ts'
import { networkOf } from '../../access/network.ts'
import type { Handler } from '../../access/serve.ts'
import { lastNameLimits, validateText } from '../../accounts/account/field-checks.ts'
import type { Database } from '../../tables/tables.ts'
import type { RoomsService } from '../rooms-service.ts'
import { type AdmissionRow, findNamesInside, findOwnAdmission } from './admission-store.ts'
import { type Asked, askToEnter } from './ask-to-enter.ts'
import { type Attempter, checkSecrets } from './check-secrets.ts'
import { decryptEntrySecrets } from './entry-secrets.ts'
import { viewMeetingForEntry } from './entry-view.ts'
import { evaluateVisitor, type Visit } from './evaluate-visitor.ts'
import { findMeetingByCode } from './find-meeting-by-code.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'
import { guestOf, personOf } from './person.ts'
import { retryAfterOf } from './retry-after.ts'

/** Says whether somebody may enter a meeting, keeps that they asked, and hands the media to whoever may (rooms.md 1, 2). */
export function serveEnterRoom({ serve, clock, random, encryption, attemptLimits, guestCookie, media }: RoomsService) {
  const enter: Handler<typeof enterRoom> = async ({ caller, params, body, request, answer, database }) => {
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
    const visit = { row, caller, pin: check.pin, bringsHostSecret: check.hosts }
    // Who needs the PIN and has not brought it learns nothing of the room, and nothing is kept.
    if (relation !== 'member' && check.pin !== 'right') {
      const { admission } = evaluateVisitor({ ...visit, own: undefined, heading: 'in' }, nobody, now)
      const isPaused = admission.state === 'slow_down' && check.pin === 'paused'
      return { ...toldOf(admission), ...(isPaused && { retryAfter: check.pauseSeconds }) }
    }

    const made = known === undefined ? guestCookie.make() : undefined
    const person = known ?? guestOf(made?.id ?? '')
    const network = networkOf(address)
    // The host is let in however many guests came from there.
    const isNewGuest = made !== undefined && !check.hosts
    const retryAfter = isNewGuest
      ? await retryAfterOf(() => attemptLimits.require('guestsOfNetwork', network))
      : undefined
    if (retryAfter !== undefined) return { state: 'slow_down', retryAfter }
    const asking = {
      ...visit,
      person,
      guestName: body.name?.trim() ?? '',
      asksAgain: body.askAgain ?? false,
      newId: random.uuid(now),
    }
    const asked = await askToEnter(database, asking, now)
    const { kept } = asked
    if (made !== undefined && kept !== undefined) {
      // Many who came at this very moment are a few more than the limit; the next one is not.
      await retryAfterOf(() => attemptLimits.count('guestsOfNetwork', network))
      answer.header('set-cookie', made.setCookie)
    }
    return {
      ...toldOf(asked.admission),
      ...{ role: asked.tie.role, meeting: viewMeetingForEntry(row, asked.occurrence) },
      ...(kept !== undefined && { admissionId: kept.id }),
      ...(kept !== undefined && asked.admission.state === 'denied' && pauseBeforeAsking(kept, now)),
      ...(asked.admission.state === 'waiting' && { hostInside: asked.standing.hostIsIn }),
      ...(kept !== undefined && asked.admission.state === 'admitted' && (await whatIsInside(row, kept, asked))),
      ...(kept !== undefined && asked.admission.state === 'admitted' && (await whoIsInside(database, kept, asked))),
      // People who need no PIN have one to hand on. An account reads it with the meeting all the same.
      ...(!needsPin(asked.tie) && (caller === undefined || holdsScope(caller, 'meeting:read')) && { pin: secrets.pin }),
    }
  }

  /** Only to a person who may go in and see them. */
  async function whoIsInside(
    database: Database,
    { id, meetingId }: AdmissionRow,
    { standing: { others: count } }: Asked,
  ) {
    const names = count === 0 ? [] : await findNamesInside(database, meetingId, id, maxNamesInside)
    return { inside: { count, names } }
  }

  /** Asked for only now that the admission is committed: nobody has a token who is not let in. */
  async function whatIsInside({ options }: MeetingForEntry, kept: AdmissionRow, { tie: { role } }: Asked) {
    const { id: admissionId, meetingId, name, hardMuted } = kept
    const isHost = role !== 'participant'
    const devices: StartingDevices = {
      camera: isHost ? options.hostVideo : options.participantVideo,
      microphone: isHost ? options.hostAudio : options.participantAudio && !hardMuted,
      hardMuted,
    }
    if (media === undefined) return { devices }
    return { devices, media: await media.grant({ meetingId, admissionId, name, role, hardMuted }) }
  }

  serve(enterRoom, enter, ({ body: { name } }) => validateText('name', name, lastNameLimits))
}

/** How long to wait before asking again, for whoever has to. */
function pauseBeforeAsking(kept: AdmissionRow, now: Date): { retryAfter?: number } {
  const pauseMs = askAgainInMs(kept, now)
  return pauseMs > 0 ? { retryAfter: Math.ceil(pauseMs / 1000) } : {}
}

/** A lobby names a few, and counts the others. */
const maxNamesInside = 3

const nobody = { hostIsIn: false, others: 0 }

/** What ties a visitor to the meeting already, before any PIN or key is looked at. */
function relationTo(visit: Pick<Visit, 'row' | 'caller' | 'own'>, now: Date): Attempter['relation'] {
  const { tie } = evaluateVisitor({ ...visit, pin: 'missing', bringsHostSecret: false, heading: 'in' }, nobody, now)
  if (!needsPin(tie)) return 'member'
  return visit.own === undefined ? 'stranger' : 'known'
}

function toldOf(admission: Admission): Entering {
  if (admission.state !== 'too_early') return { state: admission.state }
  return { state: 'too_early', opensAt: admission.opensAt.toISOString() }
}

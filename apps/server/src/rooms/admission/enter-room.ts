import { type Entering, enterRoom, type StartingDevices } from '@parley/contract'
import { type Admission, needsPin } from '@parley/rules/rooms/admission'
import { askAgainInMs } from '@parley/rules/rooms/kept-admission'
import { readPlainText } from '@parley/rules/text/plain-text'
import { readOptional } from '@parley/rules/text/reading'
import { holdsScope } from '../../access/caller.ts'
import { networkOf } from '../../access/network.ts'
import { lastNameLimits } from '../../accounts/account/person-fields.ts'
import type { Database } from '../../platform/database/database.ts'
import type { RoomsService } from '../rooms-service.ts'
import { type AdmissionRow, findOwnAdmission, findPeopleInside } from './admission-store.ts'
import { type Attempter, checkSecrets } from './check-secrets.ts'
import { decryptEntrySecrets } from './entry-secrets.ts'
import { viewMeetingForEntry } from './entry-view.ts'
import { evaluateVisitor, type VisitorSituation } from './evaluate-visitor.ts'
import { findMeetingByCode } from './find-meeting-by-code.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'
import { guestOf, personOf } from './person.ts'
import { type EntryOutcome, requestEntry } from './request-entry.ts'

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

import { hash } from 'node:crypto'
import { type Entering, enterRoom } from '@parley/contract'
import { type Admission, judgeAdmission, occurrenceToEnter, opensAtOf } from '@parley/rules/admission'
import { mostParticipants } from '@parley/rules/participants'
import { createAnonymousCookie } from '../access/anonymous-cookie.ts'
import type { Caller } from '../access/caller.ts'
import type { Deed } from '../access/serve.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { judgeText, lastNameLimits } from '../accounts/field-checks.ts'
import { openSecrets } from '../meetings/meeting-secrets.ts'
import { inTransaction } from '../platform/database.ts'
import { findStanding, keepAdmission, mostWaiting, type Person } from './admission-store.ts'
import { checkPin } from './check-pin.ts'
import { seriesAtDoor, viewMeetingAtDoor } from './door-view.ts'
import { knock } from './knock.ts'
import { tieAtDoor } from './tie-at-door.ts'

/** Everybody who can be invited. */
const capacity = mostParticipants

/** Says whether somebody may enter a meeting, and keeps that they asked (rooms.md 1 and 2). */
export function serveEnterRoom(service: AccountsService) {
  const { serve, clock, random, sealedBox, config, attemptLimits } = service
  const guestCookie = createAnonymousCookie({ name: 'parley_guest', baseUrl: config.baseUrl, random })

  const enter: Deed<typeof enterRoom> = async ({ caller, params, body, request, answer, database }) => {
    const now = clock.now()
    const { address } = request
    const found = await knock({ database, attemptLimits }, params.svcMeetId, { caller, address })
    if (found.kind === 'not-found') return { state: 'not_found' }
    if (found.kind === 'paused') return { state: 'slow_down', retryAfter: found.retryAfterSeconds }
    const { row } = found
    const secrets = openSecrets(sealedBox, row.sealedSecrets)
    const sent = { pin: body.pin, hostKey: body.hostKey }
    const check = await checkPin(attemptLimits, sent, secrets, { meetingId: row.id, address })

    const tie = tieAtDoor(row, caller, check.hosts)
    const known = personOf(caller, guestCookie.read(request.cookie))
    const occurrence = occurrenceToEnter(seriesAtDoor(row), now)
    const { waiting, ...standing } = await findStanding(database, row.id, known, now)
    const ended = occurrence !== undefined && row.endedAt !== null && row.endedAt >= opensAtOf(occurrence)
    const admission = judgeAdmission(
      {
        meeting: { cancelled: row.cancelledAt !== null, occurrence, options: row.options },
        visitor: tie,
        pin: check.pin,
        room: { ...standing, ended, locked: row.lockedAt !== null, capacity },
      },
      now,
    )
    const told: Entering = {
      ...toldOf(admission.state === 'waiting' && waiting >= mostWaiting ? { state: 'full' } : admission),
      ...(check.pin === 'right' && { role: tie.role, meeting: viewMeetingAtDoor(row, occurrence) }),
    }
    if (told.state === 'slow_down' && check.pin === 'paused') told.retryAfter = check.retryAfterSeconds
    const { state } = told
    if (state !== 'waiting' && state !== 'admitted') return told

    const made = known === undefined ? guestCookie.make() : undefined
    const person = known ?? guestOf(made?.id ?? '')
    const admissionId = await inTransaction(database, (tx) =>
      keepAdmission(tx, {
        ...person,
        ...{ id: random.uuid(now), meetingId: row.id, name: body.name ?? '', role: tie.role, state, now },
      }),
    )
    if (made !== undefined) answer.header('set-cookie', made.setCookie)
    return { ...told, admissionId }
  }

  serve(enterRoom, enter, ({ body: { name } }) => judgeText('name', name, lastNameLimits))
}

function toldOf(admission: Admission): Entering {
  if (admission.state !== 'too_early') return { state: admission.state }
  return { state: 'too_early', opensAt: admission.opensAt.toISOString() }
}

/** Who has an account comes as themselves, whatever cookie is there. */
function personOf(caller: Caller | undefined, guest: string | undefined): Person | undefined {
  if (caller !== undefined) return { accountId: caller.accountId, guestHash: null }
  return guest === undefined ? undefined : guestOf(guest)
}

const guestOf = (cookie: string): Person => ({ accountId: null, guestHash: hash('sha256', cookie, 'buffer') })

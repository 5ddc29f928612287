import { type Entering, enterRoom, type StartingDevices } from '@parley/contract'
import type { Admission } from '@parley/rules/admission'
import { networkOf } from '../access/network.ts'
import type { Deed } from '../access/serve.ts'
import { judgeText, lastNameLimits } from '../accounts/field-checks.ts'
import type { AdmissionRow } from './admission-store.ts'
import { type Asked, askToEnter } from './ask-to-enter.ts'
import { checkPin } from './check-pin.ts'
import { openDoorSecrets } from './door-secrets.ts'
import type { DoorRow } from './door-store.ts'
import { viewMeetingAtDoor } from './door-view.ts'
import { judgeVisitor } from './judge-visitor.ts'
import { knock } from './knock.ts'
import { guestOf, personOf } from './person.ts'
import { retryAfterOf } from './retry-after.ts'
import type { RoomsService } from './rooms-service.ts'

/** Says whether somebody may enter a meeting, keeps that they asked, and hands the media to whoever may (rooms.md 1, 2). */
export function serveEnterRoom({ serve, clock, random, sealedBox, attemptLimits, guestCookie, media }: RoomsService) {
  const enter: Deed<typeof enterRoom> = async ({ caller, params, body, request, answer, database }) => {
    const now = clock.now()
    const { address } = request
    const found = await knock({ database, attemptLimits }, params.svcMeetId, { caller, address })
    if (found.kind === 'not-found') return { state: 'not_found' }
    if (found.kind === 'paused') return { state: 'slow_down', retryAfter: found.retryAfterSeconds }
    const { row } = found
    const secrets = openDoorSecrets(sealedBox, row)
    const sent = { pin: body.pin, hostKey: body.hostKey }
    const check = await checkPin(attemptLimits, sent, secrets, { meetingId: row.id, address })
    const visit = { row, caller, pin: check.pin, bringsHostSecret: check.hosts }
    // Without the PIN the room is not asked how it stands, and nothing is kept.
    if (check.pin !== 'right') {
      const { admission } = judgeVisitor({ ...visit, own: undefined, heading: 'in' }, nobody, now)
      const isPaused = admission.state === 'slow_down' && check.pin === 'paused'
      return { ...toldOf(admission), ...(isPaused && { retryAfter: check.retryAfterSeconds }) }
    }

    const known = personOf(guestCookie, { caller, request })
    const made = known === undefined ? guestCookie.make() : undefined
    const person = known ?? guestOf(made?.id ?? '')
    const network = networkOf(address)
    const retryAfter = made && (await retryAfterOf(() => attemptLimits.require('guestsOfNetwork', network)))
    if (retryAfter !== undefined) return { state: 'slow_down', retryAfter }
    const asking = { ...visit, person, guestName: body.name?.trim() ?? '', newId: random.uuid(now) }
    const asked = await askToEnter(database, asking, now)
    const { kept } = asked
    if (made !== undefined && kept !== undefined) {
      // Many who came at this very moment are a few more than the limit; the next one is not.
      await retryAfterOf(() => attemptLimits.count('guestsOfNetwork', network))
      answer.header('set-cookie', made.setCookie)
    }
    return {
      ...toldOf(asked.admission),
      ...{ role: asked.tie.role, meeting: viewMeetingAtDoor(row, asked.occurrence) },
      ...(kept !== undefined && { admissionId: kept.id }),
      ...(kept !== undefined && asked.admission.state === 'admitted' && (await whatIsInside(row, kept, asked))),
    }
  }

  /** Asked for only now that the admission is committed: nobody has a token who is not let in. */
  async function whatIsInside({ options }: DoorRow, kept: AdmissionRow, { tie: { role } }: Asked) {
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

  serve(enterRoom, enter, ({ body: { name } }) => judgeText('name', name, lastNameLimits))
}

const nobody = { hostIsIn: false, others: 0 }

function toldOf(admission: Admission): Entering {
  if (admission.state !== 'too_early') return { state: admission.state }
  return { state: 'too_early', opensAt: admission.opensAt.toISOString() }
}

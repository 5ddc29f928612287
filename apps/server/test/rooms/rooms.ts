import type { AdmissionUpdate, BodyOf, Entering, RoomWatch, updateRoom as updateRoomEndpoint } from '@parley/contract'
import type { AdmittedPerson, MediaAccess } from '../../src/rooms/engine/media-access.ts'
import { type EventStream, openStream } from '../event-stream.ts'
import { type Answer, type Person, sendRequest } from '../people.ts'
import { expectOk } from '../replies.ts'
import { publicAddress, type TestApp } from '../start-app.ts'

/** The fields of a meeting that admission needs. */
export type Room = { _id: string; svcMeetId: string; pin: string }
export type Headers = Record<string, string>

export const roomPath = ({ svcMeetId }: Room, path: string) => `/api/rooms/${svcMeetId}/${path}`

export const as = ({ token }: Person): Headers => ({ authorization: `Bearer ${token}` })

/** Request admission with the PIN, which must be answered. */
export async function enter(on: TestApp, room: Room, headers: Headers = {}, body: object = {}): Promise<Entering> {
  return expectOk(sendRequest(on, 'POST', roomPath(room, 'enter'), { pin: room.pin, ...body }, headers))
}

/** A guest enters in their own browser; `headers` is what it sends from then on. */
export async function enterAsGuest(on: TestApp, room: Room, name: string, body: object = {}) {
  const sent = { pin: room.pin, name, ...body }
  const answer = await sendRequest(on, 'POST', roomPath(room, 'enter'), sent)
  await expectOk(answer)
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  const reply: Entering = answer.body
  return { reply, admissionId: reply.admissionId ?? '', headers: { cookie, origin: publicAddress } }
}

export const admissionPath = (room: Room, admissionId = '') => roomPath(room, `admissions/${admissionId}`)

export const watchAdmission = (on: TestApp, room: Room, admissionId: string | undefined, headers: Headers) =>
  openStream<AdmissionUpdate>(on, `${admissionPath(room, admissionId)}/events`, headers)

export const watchRoom = (on: TestApp, room: Room, headers: Headers): Promise<EventStream<RoomWatch>> =>
  openStream<RoomWatch>(on, roomPath(room, 'waiting'), headers)

/** Change what the hosts set for everyone in a room. */
export const updateRoom = (
  on: TestApp,
  { svcMeetId }: Room,
  settings: BodyOf<typeof updateRoomEndpoint>,
  headers: Headers,
): Promise<Answer> => sendRequest(on, 'PATCH', `/api/rooms/${svcMeetId}`, settings, headers)

export const decide = (
  on: TestApp,
  room: Room,
  admissionId: string | undefined,
  decision: 'admit' | 'deny',
  headers: Headers,
): Promise<Answer> => sendRequest(on, 'POST', admissionPath(room, admissionId), { decision }, headers)

/** Issue media access that leads nowhere, and record the people it was granted to. */
export function createRecordingMedia(): MediaAccess & { granted: AdmittedPerson[] } {
  const granted: AdmittedPerson[] = []
  return {
    granted,
    async grant(person) {
      granted.push(person)
      return { url: 'ws://media.test', token: `for ${person.admissionId}`, iceServers: [] }
    },
  }
}

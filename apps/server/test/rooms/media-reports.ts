import { hash } from 'node:crypto'
import { Room as MediaRoom, ParticipantInfo, type TrackInfo, WebhookEvent } from '@livekit/protocol'
import { AccessToken } from 'livekit-server-sdk'
import type { Clock } from '../../src/platform/clock.ts'
import type { TestApp } from '../start-app.ts'
import type { RecordingLivekit } from './recording-livekit.ts'
import type { Headers, Room } from './rooms.ts'

type EventDetails = {
  sid?: string
  joinedAt?: Date
  at?: Date
  track?: TrackInfo
  kind?: number
  id?: string
  permission?: object
}

/** Send the webhook events of a LiveKit server. */
export function createMediaReports(app: TestApp, { key, secret }: RecordingLivekit, clock: Clock) {
  async function signed(body: string, by = secret): Promise<Headers> {
    const token = new AccessToken(key, by, { ttl: 60 })
    token.sha256 = hash('sha256', body, 'base64')
    return { authorization: await token.toJwt(), 'content-type': 'application/webhook+json' }
  }

  const post = (body: string, headers: Headers, method = 'POST') =>
    fetch(`${app.base}/media/events`, { method, headers, ...(method === 'POST' && { body }) })

  async function report(event: string, room: Room, identity: string, details: EventDetails = {}) {
    const {
      sid = `PA_${identity}`,
      joinedAt = clock.now(),
      at = clock.now(),
      track,
      kind = 0,
      id = 'EV_1',
      permission,
    } = details
    const participant = new ParticipantInfo({
      sid,
      identity,
      kind,
      state: 2,
      joinedAtMs: BigInt(joinedAt.getTime()),
      ...(permission && { permission }),
    })
    const body = new WebhookEvent({
      event,
      id,
      room: new MediaRoom({ name: room._id, sid: 'RM_1' }),
      participant,
      createdAt: BigInt(Math.floor(at.getTime() / 1000)),
      ...(track && { track }),
    }).toJsonString()
    return (await post(body, await signed(body))).status
  }

  return { signed, post, report }
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { ParticipantInfo } from '@livekit/protocol'

export type RecordingLivekit = {
  key: string
  secret: string
  /** Settings of a service that uses this server as its engine. */
  environment: Record<string, string>
  asked: { method: string; body: Record<string, unknown> }[]
  /** The participants that it lists in every room. */
  listed: ParticipantInfo[]
  /** Close the connection of every request, or of requests about these rooms. */
  isAway: boolean
  awayFor: Set<unknown>
  /** Rooms that it lists beside the room of the last request. */
  rooms: string[]
}

/** A stand-in for a LiveKit server: it records requests, and lists the participants that a test sets. */
export async function startRecordingLivekit(): Promise<RecordingLivekit> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const method = request.url?.split('/').at(-1) ?? ''
      const sent = JSON.parse(body || '{}')
      if (noted.isAway || noted.awayFor.has(sent.room)) return request.socket.destroy()
      noted.asked.push({ method, body: sent })
      const rooms = [...(noted.listed.length === 0 ? [] : [sent.room]), ...noted.rooms].map((name) => ({ name }))
      const participants = noted.listed.map((participant) => participant.toJson())
      const answers: Record<string, object> = { ListParticipants: { participants }, ListRooms: { rooms } }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answers[method] ?? {}))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  const [key, secret] = ['parley', 'a secret of these tests, long enough'] as const
  const noted: RecordingLivekit = {
    key,
    secret,
    asked: [],
    listed: [],
    isAway: false,
    awayFor: new Set(),
    rooms: [],
    environment: { LIVEKIT_URL: `ws://127.0.0.1:${port}`, LIVEKIT_API_KEY: key, LIVEKIT_API_SECRET: secret },
  }
  return noted
}

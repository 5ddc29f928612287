import { after, afterEach } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { AccessToken } from 'livekit-server-sdk'
import type { Page } from 'playwright-core'
import type { Person } from '../../apps/server/test/people.ts'
import { standUp } from '../../apps/server/test/people.ts'
import { startLivekit } from '../../test/livekit/livekit.ts'
import { closePagesOf } from '../browser.ts'
import { watchPeers } from '../media/perception.ts'
import { between, hourMs, minuteMs, scheduleQuietly } from '../meetings/meetings.ts'
import { type Stage, setStage, type Visit, type VisitOptions } from '../visit.ts'

export type Meeting = { _id: string; svcMeetId: string; pin: string }

/** Of the answer to entering, what stories look at. */
type Entered = { admissionId?: string; media?: { token: string } }

export type RoomStage = Stage & {
  /** Where browsers connect to. */
  mediaUrl: string
  /** A right to a room as the engine's are, signed by somebody else. */
  forgedToken(place: { room: string; identity: string }): Promise<string>
  /** Schedules a meeting that has just begun; the fields are `advancedOptions`. */
  meet(host: Person, options?: Record<string, boolean>, fields?: object): Promise<Meeting>
  /** Opens a meeting's link in a browser of their own. A guest is called by the name. */
  arrive(meeting: Meeting, who: Person | string, options?: VisitOptions): Promise<Visit>
}

/** A real LiveKit in place of the embedded engine, of one node or of two: the same stories, all the same. */
const livekitNodes = { livekit: 1, 'livekit-two-nodes': 2 } as const
const asked = process.env.PARLEY_TEST_MEDIA
const nodes = asked === 'livekit' || asked === 'livekit-two-nodes' ? livekitNodes[asked] : undefined

/** Whether it is one: some of its deaths are told elsewhere. */
export const withLivekit = nodes !== undefined

/** The app with sound and pictures, and a browser with a camera and a microphone. */
export async function setRoomStage(settings: Record<string, string> = {}): Promise<RoomStage> {
  const stage = await setStage(async (baseUrl) => ({ ...(await mediaSettings(baseUrl)), ...settings }), {
    ...{ fakeDevices: true, media: 'engine', jobs: true, letters: 'dropped' },
  })
  afterEach(() => closePagesOf(stage.browser))
  const { livekit, baseUrl } = stage.app.config
  return {
    ...stage,
    mediaUrl: livekit?.url ?? `${baseUrl.replace('http', 'ws')}/media`,
    forgedToken({ room, identity }) {
      const token = new AccessToken(livekit?.apiKey ?? 'parley', 'somebody else’s secret, long enough', { identity })
      token.addGrant({ room, roomJoin: true, roomAdmin: true })
      return token.toJwt()
    },
    meet: (host, options = {}, fields = {}) =>
      scheduleQuietly(
        host,
        standUp({ ...between(5 * minuteMs, hourMs), participants: [], advancedOptions: options, ...fields }),
      ),
    async arrive(meeting, who, options = {}) {
      const isGuest = typeof who === 'string'
      const visit = await stage.visit({
        ...(!isGuest && { person: who }),
        ...options,
      })
      await watchPeers(visit.context)
      await visit.page.goto(linkOf(meeting))
      if (isGuest) await visit.page.getByRole('textbox', { name: 'Your name' }).fill(who)
      return visit
    },
  }
}

async function mediaSettings(baseUrl: string): Promise<Record<string, string>> {
  if (nodes === undefined) return {}
  const livekit = await startLivekit({ tellAt: `${baseUrl}/media/events`, nodes })
  after(() => livekit[Symbol.asyncDispose]())
  return livekit.environment
}

const shortWhileMs = 200

/** What the page is answered from now on when it enters, as far as it has come in by the time it is asked for. */
export function answersOnEntering(page: Page): () => Promise<Entered[]> {
  const answers: Promise<Entered>[] = []
  page.on('response', (response) => {
    if (/\/enter$/.test(response.url())) answers.push(response.json())
  })
  return () => Promise.all(answers)
}

export const linkOf = ({ svcMeetId, pin }: Meeting) => `/j/${svcMeetId}#pin=${pin}`

/**
 * The media engine starts with the first who enters. A busy machine takes longer for that than a page waits, and what is
 * refused meanwhile is a complaint of the browser.
 */
export async function startMedia(stage: RoomStage, host: Person): Promise<void> {
  const { svcMeetId, pin } = await stage.meet(host)
  const enter = () => host.ask('POST', `/api/rooms/${svcMeetId}/enter`, { pin })
  while ((await enter()).status === 503) await setTimeout(shortWhileMs)
}

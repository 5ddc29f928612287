import { after, afterEach } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Person } from '../../apps/server/test/people.ts'
import { standUp } from '../../apps/server/test/people.ts'
import { startLivekit } from '../../test/livekit/livekit.ts'
import { closePagesOf } from '../browser.ts'
import { watchPeers } from '../media/perception.ts'
import { between, hourMs, minuteMs, scheduleQuietly } from '../meetings/meetings.ts'
import { type OpenedPage, type PageOptions, type Story, startStory } from '../start-story.ts'

export type Meeting = { _id: string; svcMeetId: string; pin: string }

/** The parts of the reply to entering that stories check. */
type Entered = { media?: { token: string } }

type MeetingOptions = PageOptions & {
  /** Runs before the page is opened. */
  prepare?(page: Page): Promise<void>
}

export type RoomStory = Story & {
  /** The address to which browsers connect. */
  mediaUrl: string
  /** Schedule a meeting that has just begun; the fields are `advancedOptions`. */
  startMeeting(host: Person, options?: Record<string, boolean>, fields?: object): Promise<Meeting>
  /** Open a meeting's link in a new browser context. Guests enter the name. */
  openMeeting(meeting: Meeting, who: Person | string, options?: MeetingOptions): Promise<OpenedPage>
}

/** A real LiveKit in place of the embedded engine, with one node or two, for the same stories. */
const livekitNodes = { livekit: 1, 'livekit-two-nodes': 2 } as const
const requestedMedia = process.env.PARLEY_TEST_MEDIA
const nodes =
  requestedMedia === 'livekit' || requestedMedia === 'livekit-two-nodes' ? livekitNodes[requestedMedia] : undefined

/** Whether the stories use LiveKit, whose failures other tests cover. */
export const withLivekit = nodes !== undefined

/** Start the service with its media engine, and a browser with a fake camera and microphone. */
export async function startRoomStory(settings: Record<string, string> = {}): Promise<RoomStory> {
  const story = await startStory(async (baseUrl) => ({ ...(await mediaSettings(baseUrl)), ...settings }), {
    fakeDevices: true,
    media: 'engine',
    jobs: true,
    emails: 'dropped',
  })
  afterEach(() => closePagesOf(story.browser))
  const { livekit, baseUrl } = story.app.config
  return {
    ...story,
    mediaUrl: livekit?.url ?? `${baseUrl.replace('http', 'ws')}/media`,
    startMeeting: (host, options = {}, fields = {}) =>
      scheduleQuietly(
        host,
        standUp({ ...between(5 * minuteMs, hourMs), participants: [], advancedOptions: options, ...fields }),
      ),
    async openMeeting(meeting, who, { prepare, ...options } = {}) {
      const isGuest = typeof who === 'string'
      const opened = await story.openPage({
        ...(!isGuest && { person: who }),
        ...options,
      })
      await watchPeers(opened.context)
      await prepare?.(opened.page)
      await opened.page.goto(linkOf(meeting))
      if (isGuest) await opened.page.getByRole('textbox', { name: 'Your name' }).fill(who)
      return opened
    },
  }
}

async function mediaSettings(baseUrl: string): Promise<Record<string, string>> {
  if (nodes === undefined) return {}
  const livekit = await startLivekit({ webhookUrl: `${baseUrl}/media/events`, nodes })
  after(() => livekit[Symbol.asyncDispose]())
  return livekit.environment
}

const shortWhileMs = 200

/** Record the replies that the page receives when entering. Returns a function that reads them. */
export function answersOnEntering(page: Page): () => Promise<Entered[]> {
  const answers: Promise<Entered>[] = []
  page.on('response', (response) => {
    if (/\/enter$/.test(response.url())) answers.push(response.json())
  })
  return () => Promise.all(answers)
}

export const linkOf = ({ svcMeetId, pin }: Meeting) => `/j/${svcMeetId}#pin=${pin}`

/**
 * Start the media engine, which otherwise starts with the first participant. On a busy machine that takes longer than a
 * page waits, and each refused request is an error in the browser's console.
 */
export async function startMedia(story: RoomStory, host: Person): Promise<void> {
  const { svcMeetId, pin } = await story.startMeeting(host)
  const enter = () => host.send('POST', `/api/rooms/${svcMeetId}/enter`, { pin })
  while ((await enter()).status === 503) await setTimeout(shortWhileMs)
}

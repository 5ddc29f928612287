import { connect } from '@parley/client'
import { cancelMeeting, createMeeting, listMeetings, readMeeting } from '@parley/contract'
import { plain, UsageError } from './terminal.ts'

type Connection = Parameters<typeof connect>[0]
type Updates = 'all' | 'none'

/** As on the meetings page: what is running or ahead, or with `past` what is over. */
export async function list(connection: Connection, { past, limit }: { past: boolean; limit: number }) {
  const reply = await connect(connection).call(listMeetings, { params: { userId: 'me' }, query: { past, limit } })
  const lines = reply.meetingDetails.map(({ _id, startTime, nextOccurrence, topic }) =>
    [_id, localTime(nextOccurrence?.startTime ?? startTime), plain(topic)].join('  '),
  )
  const more = reply.totalCount - lines.length
  return { reply, lines, note: more > 0 ? `${more} more: --limit, up to 200` : undefined }
}

type NewMeeting = {
  topic: string
  start: string
  minutes: number
  description: string
  invited: readonly string[]
  updates: Updates
}

/** Schedule a single meeting. `api POST /api/meeting` makes a series. */
export async function create(
  connection: Connection,
  { topic, start, minutes, description, invited, updates }: NewMeeting,
) {
  const startsAt = readTime('--start', start)
  const { meetingDetails: reply } = await connect(connection).call(createMeeting, {
    query: { sendUpdates: updates },
    body: {
      topic,
      description,
      startTime: startsAt.toISOString(),
      endTime: new Date(startsAt.getTime() + minutes * 60_000).toISOString(),
      participants: [...invited],
      isPinEnabled: true,
      advancedOptions: {},
      repeatOptions: { repeat: 'none', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    },
  })
  return { reply, lines: [[reply._id, localTime(reply.startTime), plain(reply.topic)].join('  '), reply.meetingUrl] }
}

type Cancelled = { date: string | undefined; following: string | undefined; all: boolean; updates: Updates }

/** Cancel a single meeting; of a series what the person names, as one word too few would cancel a year. */
export async function cancel(connection: Connection, meetingId: string, { date, following, all, updates }: Cancelled) {
  const client = connect(connection)
  const extent =
    date !== undefined
      ? { cancel: 'current' as const, occurrence: readTime('--date', date).toISOString() }
      : following !== undefined
        ? { cancel: 'following' as const, occurrence: readTime('--following', following).toISOString() }
        : { cancel: 'all' as const }
  if (extent.cancel === 'all' && !all) {
    const [meeting] = await client.call(readMeeting, { params: { meetingId } })
    if (meeting?.repeatOptions.repeat !== 'none') {
      throw new UsageError('This meeting is a series. Add --date START, --following START or --all.')
    }
  }
  const reply = await client.call(cancelMeeting, {
    params: { meetingId },
    query: { sendUpdates: updates },
    body: extent,
  })
  return { reply, lines: [plain(reply.status)] }
}

/** A time with an offset, or in the time zone of this computer. */
function readTime(option: string, text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new UsageError(`${option} must be a time, such as 2030-01-07T09:00`)
  return time
}

/** `2030-01-07 09:00` in the time zone of this computer. */
function localTime(timestamp: string): string {
  const time = new Date(timestamp)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}

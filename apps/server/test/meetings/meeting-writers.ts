import assert from 'node:assert/strict'
import { connectTo } from '../one-connection.ts'
import { cancelPath, detailsPath, weekdays } from '../people.ts'
import type { ServicePerson } from '../processes/service-people.ts'

const writers = 8
/** One of the 15 dates of the series. */
export const dayOfSkip = '2030-01-09'

/** What a client knows of one meeting: the last answer, and the last request that was not answered. */
export type Known = {
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of an answer, to be compared later
  answered: any
  /** Number of changes answered since, whose answers do not show the meeting. */
  changes: number
  /** Whether a date was cancelled that was not looked for yet. */
  isToBeRead: boolean
  unanswered?: { request: 'update'; topic: string; participants: readonly string[] } | { request: 'skip' | 'cancel' }
}

export type Written = { known: Known[]; unansweredTopics: Set<string>; answers: number; refusals: number }

type Place = { base: string; host: ServicePerson; round: number; written: Written }

/** Eight clients schedule, change and cancel until they are stopped. They tolerate the errors of a failing service. */
export function startWriters(place: Place): () => Promise<void> {
  let stopped = false
  const writing = Array.from({ length: writers }, async (_, writer) => {
    const connection = connectTo(place.base)
    const { token } = place.host
    const send = async (method: string, path: string, body: object) => {
      const outcome = await connection.send(method, path, { token, body })
      if (outcome.kind === 'answered' && outcome.status === 200) {
        place.written.answers += 1
        return JSON.parse(outcome.body)
      }
      assert.ok(outcome.kind !== 'answered' || outcome.status === 503, JSON.stringify(outcome))
      place.written.refusals += 1
      return undefined
    }
    for (let number = 1; !stopped; number++)
      await write(send, place.written, `${place.round}-${writer}-${number}`, number)
    connection.close()
  })
  return async () => {
    stopped = true
    await Promise.all(writing)
  }
}

type SendJson = (method: string, path: string, body: object) => Promise<Known['answered']>

/**
 * The life of a meeting as far as requests are answered: schedule, change, cancel a date, and cancel every third
 * meeting.
 */
async function write(send: SendJson, written: Written, topic: string, number: number): Promise<void> {
  const series = weekdays({ topic, participants: guests(number) })
  written.unansweredTopics.add(topic)
  const created = await send('POST', '/api/meeting', series)
  if (created === undefined) return
  written.unansweredTopics.delete(topic)
  const meeting: Known = { answered: created.meetingDetails, changes: 0, isToBeRead: false }
  written.known.push(meeting)

  const change = { topic: `${topic}, changed`, participants: guests(number + 1) }
  meeting.unanswered = { request: 'update', ...change }
  const updated = await send('PUT', detailsPath(meeting.answered), { ...series, ...change })
  if (updated === undefined) return
  meeting.answered = updated

  meeting.unanswered = { request: 'skip' }
  const skip = { cancel: 'current', occurrence: `${dayOfSkip}T09:00:00Z` }
  if ((await send('POST', cancelPath(meeting.answered), skip)) === undefined) return
  meeting.changes += 1

  if (number % 3 === 0) {
    meeting.unanswered = { request: 'cancel' }
    if ((await send('POST', cancelPath(meeting.answered), { cancel: 'all' })) === undefined) return
    meeting.changes += 1
    meeting.answered = { ...meeting.answered, status: 'cancelled' }
  } else meeting.isToBeRead = true
  delete meeting.unanswered
}

const guests = (number: number) => Array.from({ length: 1 + (number % 4) }, (_, index) => `guest-${index}@example.org`)

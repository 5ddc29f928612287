import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectTo, type Outcome } from '../../apps/server/test/one-connection.ts'
import { standUp } from '../../apps/server/test/people.ts'

/** Credentials for the requests of the load. */
export type Clients = {
  front: string
  /** The session of a host. */
  token: string
  /** Basic credentials of an app. */
  authorization: string
  refreshTokens: readonly string[]
  codes: readonly string[]
}

export type Recorded = {
  /** Acknowledged meetings: the topic of each, and whether its update was acknowledged too. */
  meetings: Map<string, { isUpdated: boolean }>
  /** When each write was acknowledged, in milliseconds of performance.now(). */
  acknowledgedAt: number[]
  /** The number of replies by status; 0 where the connection was refused or lost. */
  statuses: Map<number, number>
  slowestMs: number
  /** Codes that gave tokens more than once, and refresh chains that ended. */
  redeemedTwice: number
  brokenChains: string[]
}

const writers = 8
const pauseMs = 40
const codeEveryMs = 200

/** Write, refresh and redeem until stopped; each write is repeated with the same key until it is answered. */
export function startLoad(clients: Clients, run: string): { recorded: Recorded; stop(): Promise<Recorded> } {
  const { front, token, authorization } = clients
  let isStopped = false
  const recorded: Recorded = {
    meetings: new Map(),
    acknowledgedAt: [],
    statuses: new Map(),
    slowestMs: 0,
    redeemedTwice: 0,
    brokenChains: [],
  }

  const note = (outcome: Outcome) => {
    const status = outcome.kind === 'answered' ? outcome.status : 0
    recorded.statuses.set(status, (recorded.statuses.get(status) ?? 0) + 1)
    recorded.slowestMs = Math.max(recorded.slowestMs, outcome.tookMs)
    return status
  }

  /** Repeat a request until its reply is final; undefined when the load ends before that. */
  async function retryUntilAnswered(
    ask: () => Promise<Outcome>,
  ): Promise<{ status: number; body: string } | undefined> {
    for (;;) {
      const outcome = await ask()
      const status = note(outcome)
      if (outcome.kind === 'answered' && status < 500) return outcome
      if (isStopped) return undefined
      await sleep(pauseMs)
    }
  }

  async function write(writer: number) {
    const connection = connectTo(front)
    for (let count = 0; !isStopped; count++) {
      const topic = `${run} ${writer}-${count}`
      const meeting = standUp({ topic, participants: [] })
      const key = { 'idempotency-key': randomUUID() }
      const created = await retryUntilAnswered(() =>
        connection.send('POST', '/api/meeting', { token, body: meeting, headers: key }),
      )
      if (created?.status !== 200) continue
      recorded.meetings.set(topic, { isUpdated: false })
      recorded.acknowledgedAt.push(performance.now())
      const id = JSON.parse(created.body).meetingDetails._id
      const body = { ...meeting, description: 'updated' }
      const updated = await retryUntilAnswered(() =>
        connection.send('PUT', `/api/meeting/meetingDetails/${id}`, { token, body }),
      )
      if (updated?.status !== 200) continue
      recorded.meetings.set(topic, { isUpdated: true })
      recorded.acknowledgedAt.push(performance.now())
    }
    connection.close()
  }

  const form = (fields: Record<string, string>) => postForm(front, authorization, new URLSearchParams(fields))

  async function refresh(first: string) {
    let current = first
    while (!isStopped) {
      const answer = await retryUntilAnswered(() => form({ grant_type: 'refresh_token', refresh_token: current }))
      if (answer === undefined) return
      if (answer.status !== 200) return void recorded.brokenChains.push(`${answer.status} ${answer.body}`)
      current = JSON.parse(answer.body).refresh_token
      await sleep(pauseMs)
    }
  }

  async function redeem() {
    for (const code of clients.codes) {
      if (isStopped) return
      const twice = [1, 2].map(() => retryUntilAnswered(() => form({ grant_type: 'authorization_code', code })))
      const answers = await Promise.all(twice)
      if (answers.filter((answer) => answer?.status === 200).length > 1) recorded.redeemedTwice++
      await sleep(codeEveryMs)
    }
  }

  const work = [
    ...Array.from({ length: writers }, (_, at) => write(at)),
    ...clients.refreshTokens.map(refresh),
    redeem(),
  ]
  return {
    recorded,
    async stop() {
      isStopped = true
      await Promise.all(work)
      return recorded
    },
  }
}

async function postForm(front: string, authorization: string, form: URLSearchParams): Promise<Outcome> {
  const startedAt = performance.now()
  try {
    const answer = await fetch(`${front}/api/oauth2/v2/token`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    })
    const body = await answer.text()
    const headers = Object.fromEntries(answer.headers)
    return { kind: 'answered', status: answer.status, headers, body, tookMs: performance.now() - startedAt }
  } catch (error) {
    return { kind: 'lost', reason: String(error), tookMs: performance.now() - startedAt }
  }
}

/** The longest time without an acknowledged write, among those that ended after `from`. */
export function maxGapMs({ acknowledgedAt }: Recorded, from: number): number {
  const times = acknowledgedAt.toSorted((one, other) => one - other)
  return Math.max(0, ...times.slice(1).map((at, before) => (at < from ? 0 : at - (times[before] ?? at))))
}

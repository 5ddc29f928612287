import { createHmac } from 'node:crypto'
import { type connect, followEvents } from '@parley/client'
import { type EventType, eventTypeNames } from '@parley/contract'
import { nowMs, random } from './computer-inputs.ts'
import { CommandError, plain, type Terminal, toJson, UsageError } from './terminal.ts'

type Listening = {
  connection: Parameters<typeof connect>[0]
  types: string | undefined
  meetingId: string | undefined
  after: string | undefined
  forwardTo: string | undefined
  json: boolean
  signal: AbortSignal
}

/** Time for a receiver to answer, as of webhooks. */
const answerMs = 15_000

/**
 * Print events as they happen, and post each with the headers and the signature of a webhook (docs/webhooks.md). What is
 * refused is not sent again. Ends with the signal, and returns the cursor to go on from.
 */
export async function listenToEvents(terminal: Terminal, options: Listening): Promise<string | undefined> {
  const { connection, meetingId, after, json, signal } = options
  const forward = options.forwardTo === undefined ? undefined : createForward(terminal, options.forwardTo)
  let cursor = after
  const events = followEvents(connection, {
    ...(options.types !== undefined && { types: readTypes(options.types) }),
    ...(meetingId !== undefined && { meetingId }),
    ...(after !== undefined && { after }),
    signal,
    onCursor: (newest) => {
      cursor = newest
    },
    onLost(failures, error) {
      // The sign-in has ended: another attempt would not help.
      if (error instanceof CommandError) throw error
      terminal.note(`The connection is lost; attempt ${failures}`)
    },
  })
  for await (const event of events) {
    const outcome = await forward?.(event)
    if (json) terminal.print(toJson(event))
    else terminal.print([event.timestamp, event.type, event.subject, outcome ?? ''].map(plain).join('  ').trimEnd())
    if (json && outcome !== undefined) terminal.note(`${event.id}  ${outcome}`)
  }
  return cursor
}

function readTypes(text: string): EventType[] {
  const types = text.split(',').map((type) => type.trim())
  const unknown = types.find((type) => !eventTypeNames.some((name) => name === type))
  if (unknown !== undefined) throw new UsageError(`${unknown} is not a type of events: ${eventTypeNames.join(', ')}`)
  return types as EventType[]
}

const secretPrefix = 'whsec_'

/** The secret comes from WEBHOOK_SECRET: other people on the computer see the words of a command. */
function createForward({ env, note }: Terminal, address: string) {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new UsageError('--forward-to must be an address, such as http://localhost:8080/parley')
  }
  const made = `${secretPrefix}${random('base64')}`
  if (env.WEBHOOK_SECRET === undefined) note(`WEBHOOK_SECRET of this run: ${made}`)
  const secret = env.WEBHOOK_SECRET ?? made
  if (!secret.startsWith(secretPrefix)) throw new UsageError(`WEBHOOK_SECRET must begin with ${secretPrefix}`)
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return async (event: { id: string }): Promise<string> => {
    const body = JSON.stringify(event)
    const time = String(Math.floor(nowMs() / 1000))
    const headers = {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': time,
      'webhook-signature': `v1,${createHmac('sha256', key).update(`${event.id}.${time}.${body}`).digest('base64')}`,
    }
    const signal = AbortSignal.timeout(answerMs)
    try {
      const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'manual' })
      await response.body?.cancel()
      return String(response.status)
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer'
    }
  }
}

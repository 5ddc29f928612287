import assert from 'node:assert/strict'
import { type EventReply, type EventType, eventTypes } from '@parley/contract'
import { Compile } from 'typebox/compile'
import { type EventStream, openMessages } from './event-stream.ts'
import { sendRequest } from './people.ts'
import { expectOk } from './replies.ts'
import type { TestApp } from './start-app.ts'

type Reader = { token: string }

/** Read the log with a token, after everything that is committed was published. */
export async function requestEvents(app: TestApp, { token }: Reader, query = '') {
  await app.publishEvents()
  return sendRequest(app, 'GET', `/api/events?${query}`, undefined, { authorization: `Bearer ${token}` })
}

/** Read a page of events, each with the data that the contract gives its type. */
export async function readEvents(app: TestApp, reader: Reader, query = '') {
  const body = await expectOk(requestEvents(app, reader, query))
  for (const event of body.events) assertInCatalogue(event)
  return body as { events: EventReply[]; moreAvailable: boolean; nextCursor: string }
}

/** The last event that the reader sees, if it has this type. */
export async function lastEvent(app: TestApp, reader: Reader, type: EventType) {
  const { events } = await readEvents(app, reader, 'limit=200')
  const last = events.at(-1)
  assert.equal(last?.type, type, events.map((event) => event.type).join())
  return last as EventReply
}

/** How many events of each type the reader sees. */
export async function countTypes(app: TestApp, reader: Reader, query = 'limit=200') {
  const { events } = await readEvents(app, reader, query)
  return Object.fromEntries([...Map.groupBy(events, ({ type }) => type)].map(([type, of]) => [type, of.length]))
}

/** What a stream of the log has sent: the cursor, and the event before it; none where only the cursor moved on. */
export type Followed = { cursor: string; event: EventReply | undefined }

/** Open a stream of the log, which must be accepted. */
export const openLog = (app: { base: string }, { token }: Reader, query = '', headers: Record<string, string> = {}) =>
  openMessages<Followed>(
    app,
    `/api/events?follow=true&${query}`,
    { authorization: `Bearer ${token}`, ...headers },
    ({ id, event, data }) => {
      if (id === undefined) return undefined
      const sent: EventReply | undefined = data === undefined ? undefined : JSON.parse(data)
      assert.equal(event, sent?.type)
      if (sent !== undefined) assertInCatalogue(sent)
      return { cursor: id, event: sent }
    },
  )

/** The next event of a stream, and the cursor after it. */
export async function nextEvent(log: EventStream<Followed>): Promise<{ cursor: string; event: EventReply }> {
  const { cursor, event } = await log.until((message) => message.event !== undefined)
  return { cursor, event: event as EventReply }
}

/** The schemas refuse unknown fields, so that no field is in an event that the contract does not name. */
function assertInCatalogue({ type, data }: EventReply) {
  const errors = Compile(eventTypes[type].data).Errors(data)
  assert.deepEqual([...errors], [], `${type} ${JSON.stringify(data)}`)
}

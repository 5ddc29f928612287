import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eventTypeNames, eventTypes } from '@parley/contract'
import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { heartbeatMs, maxStalledMs, maxStreams } from '../../apps/server/src/access/streams.ts'
import { nextEvent, openLog } from '../../apps/server/test/event-reader.ts'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { docBlocks } from './doc-blocks.ts'

const page = fileURLToPath(new URL('../../docs/events.md', import.meta.url))

/** Who may read types, as a heading of their table. */
const readers = {
  'meeting:read': '### With `meeting:read`',
  'apps:manage': '### With `apps:manage`',
  grant: '### The person of a grant, and its app',
  webhook: '### The webhook itself',
}

/** The fields of a type's data that not all events of its kind have; participants' fields are described once. */
const common = ['userId', 'meetingId', 'svcMeetId', '__v', 'topic', 'joinUrl']

function fieldsOf({ properties, required }: TSchema & { properties: object; required?: readonly string[] }): string {
  const isMeeting = 'svcMeetId' in properties
  const shown = Object.keys(properties).filter((name) => !isMeeting || !common.includes(name))
  const names = shown.map((name) => (required?.includes(name) ? `\`${name}\`` : `\`${name}\` (optional)`))
  return names.join(', ')
}

/** The chapter of the types, as the contract has it. */
function writeChapter(): string {
  const tables = Object.entries(readers).flatMap(([right, heading]) => [
    heading,
    right === 'meeting:read'
      ? '| type | happened | `data`, beside the fields of meetings |'
      : '| type | happened | `data` |',
    '|---|---|---|',
    ...eventTypeNames
      .filter((name) => eventTypes[name].right === right)
      .map((name) => `|\`${name}\`|${eventTypes[name].description}|${fieldsOf(eventTypes[name].data)}|`),
    '',
  ])
  const described = common.map((name) => {
    const schema: TSchema = eventTypes['meeting.created'].data.properties[name as 'topic']
    return 'description' in schema
      ? `\`${name}\` (${String(schema.description).replace(/^[A-Z](?=[a-z])/, lower)})`
      : `\`${name}\``
  })
  return [
    `The fields of meetings are ${described.join(', ')}.`,
    '`participant` has `admissionId`, `name`, `email` (of an account whose address is confirmed, else `null`) and `role`.',
    '',
    ...tables,
  ].join('\n')
}

const lower = (letter: string) => letter.toLowerCase()

test('docs/events.md lists every type of the contract, with its rights and fields', () => {
  const text = readFileSync(page, 'utf8')
  const [begin, end] = [text.indexOf('-->\n') + '-->\n'.length, text.indexOf('## When events come')]
  const expected = `${text.slice(0, begin)}${writeChapter()}\n${text.slice(end)}`
  if (process.env.UPDATE_SNAPSHOTS === '1') writeFileSync(page, expected)
  assert.equal(readFileSync(page, 'utf8'), expected)
})

test('the sample of each type is valid under its schema', () => {
  for (const name of eventTypeNames) {
    const { data, sample } = eventTypes[name]
    assert.deepEqual([...Compile(data as TObject).Errors(sample)], [], name)
  }
})

test('docs/events.md states the limits and times of streams', () => {
  const text = readFileSync(page, 'utf8')
  const says = (sentence: string) => assert.ok(text.includes(sentence), sentence)
  const { followersOfAccount, followersOfApp, followersOfNetwork, followers } = maxStreams
  const [ofApp, ofNetwork, ofInstance] = [followersOfApp, followersOfNetwork, followers].map((limit) =>
    limit.toLocaleString('en'),
  )
  says(`An account may have ${followersOfAccount} streams open, and each app ${followersOfAccount} for it;`)
  says(`an app ${ofApp} in all, a network ${ofNetwork}, an instance ${ofInstance}.`)
  says(`after ${maxStalledMs / 1_000} seconds in which nothing of what was sent was taken`)
  says('A comment (`:`) comes every five seconds.')
  assert.equal(heartbeatMs, 5_000)
})

test('a real stream looks as the one on docs/events.md', async () => {
  const app = await startApp({ emails: 'dropped' })
  const alice = await signUp(app, 'Alice')
  const log = await openLog(app, alice)
  await log.next()
  await alice.send('POST', '/api/meeting?sendUpdates=none', standUp())
  await app.publishEvents()
  const { event } = await nextEvent(log)
  await log.untilSent(/^retry: 1000\nid: [\w-]+\n\nid: [\w-]+\nevent: meeting\.created\ndata: \{.*\}\n\n:\n\n$/)
  log.close()

  const [shown = ''] = docBlocks('events', 'Receive events as they happen', 'text')
  assert.match(shown, /^retry: 1000\nid: [\w-]+\n\nid: [\w-]+\nevent: meeting\.created\ndata: \{.*\}\n\n:\n$/)
  const data = JSON.parse(/^data: (.*)$/m.exec(shown)?.[1] ?? '')
  assert.deepEqual(Object.keys(data), Object.keys(event))
  assert.deepEqual(Object.keys(data.data).toSorted(), Object.keys(event.data).toSorted())
})

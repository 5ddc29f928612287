import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { eventTypes, maxWebhookUrlLength } from '@parley/contract'
import { maxJitter, maxRetryAfterMs, refusalsInOrder, retryForMs, waitsMs } from '@parley/rules/webhooks/retry-schedule'
import { attemptLimits } from '../../apps/server/src/access/attempt-limits.ts'
import { retentionMs } from '../../apps/server/src/event-log/event-store.ts'
import { maxLoggedLength } from '../../apps/server/src/webhooks/deliver.ts'
import { freeSlotsDivisor, maxPerWebhook, slowMs } from '../../apps/server/src/webhooks/delivery-loop.ts'
import { maxResent } from '../../apps/server/src/webhooks/delivery-store.ts'
import { disableAfterMs, probeEveryMs, probeForMs, warnAfterMs } from '../../apps/server/src/webhooks/webhook-health.ts'
import {
  maxWebhooksOfAllGrants,
  maxWebhooksOfApp,
  maxWebhooksOfGrant,
  maxWebhooksOfOrganisation,
  maxWebhooksOfPerson,
} from '../../apps/server/src/webhooks/webhook-owner.ts'
import { deliveryLimits } from '../../apps/server/src/webhooks/webhook-receivers.ts'
import { signatureOf } from '../../apps/server/src/webhooks/webhook-secret.ts'
import { previousSecretMs } from '../../apps/server/src/webhooks/webhooks.ts'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { startReceiver } from '../../apps/server/test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers } from '../../apps/server/test/webhooks/webhooks.ts'
import { docBlocks } from './doc-blocks.ts'

const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
const says = (text: string) => assert.ok(page.includes(text), text)

const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000]

/** A duration in its largest unit, as the page writes it. */
function inWords(ms: number): string {
  const [unitMs, unit] = (
    [
      [hourMs, 'hour'],
      [minuteMs, 'minute'],
      [secondMs, 'second'],
    ] as const
  ).find(([unitMs]) => ms >= unitMs) ?? [1, 'millisecond']
  const count = ms / unitMs
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

test('docs/webhooks.md states the schedule of retries', () => {
  const [first = 0, second = 0, ...rest] = waitsMs
  const waits = [inWords(first), `then ${inWords(second)}`, ...rest.map(inWords)].join(', ')
  says(`After a refusal, the event waits ${waits}, and from then on ${inWords(waitsMs.at(-1) ?? 0)} each time, until`)
  says(`until ${retryForMs / dayMs} days after the first attempt. Each wait is up to a fifth longer`)
  assert.equal(maxJitter, 1 / 5)
  says('by `Retry-After`, in seconds or as an HTTP date, up to 24 hours')
  assert.equal(maxRetryAfterMs, 24 * hourMs)
  says('After six refusals, some 35 minutes,')
  assert.equal(refusalsInOrder, 6)
  const beforeSixth = waitsMs.slice(0, refusalsInOrder - 1).reduce((sum, wait) => sum + wait, 0)
  assert.ok(beforeSixth < 35 * minuteMs && beforeSixth * (1 + maxJitter) > 35 * minuteMs)
  assert.ok(retryForMs < 4 * dayMs, 'the ids of four days suffice')
})

test('docs/webhooks.md states how long a receiver may take, and when it is switched off', () => {
  says(`| 2xx within ${deliveryLimits.timeMs / secondMs} seconds | taken |`)
  says(`The ${deliveryLimits.timeMs / secondMs} seconds include the connection.`)
  assert.equal(deliveryLimits.redirects, 0)
  says('a receiver that takes two seconds or more gets fewer events')
  assert.equal(slowMs, 2 * secondMs)
  says(`up to ${maxPerWebhook} events at a time`)
  says('no more than a quarter of what is left free')
  assert.equal(freeSlotsDivisor, 4)
  says('- After one day without a success, the owner is sent an email. After three days, another:')
  assert.deepEqual([warnAfterMs, disableAfterMs], [dayMs, 3 * dayMs])
  says('- For five days from then, a test event is sent each hour.')
  assert.deepEqual([probeForMs, probeEveryMs], [5 * dayMs, hourMs])
})

test('docs/webhooks.md states the limits', () => {
  const rows: [string, number][] = [
    ['webhooks of a person', maxWebhooksOfPerson],
    ['webhooks of an app, and as many of its sandbox', maxWebhooksOfApp],
    ['webhooks of a grant', maxWebhooksOfGrant],
    ['webhooks of all grants of a person', maxWebhooksOfAllGrants],
    ['webhooks of an organisation', maxWebhooksOfOrganisation],
    ['new webhooks of an account in an hour', attemptLimits.newWebhooksOfAccount.points],
    ['webhooks that an account switches on in an hour', attemptLimits.enabledWebhooksOfAccount.points],
    ['test events of an account in an hour', attemptLimits.testEventsOfAccount.points],
    ['characters of an address', maxWebhookUrlLength],
  ]
  for (const [label, limit] of rows) says(`| ${label} | ${limit.toLocaleString('en')} |`)
  for (const { duration } of [
    attemptLimits.newWebhooksOfAccount,
    attemptLimits.enabledWebhooksOfAccount,
    attemptLimits.testEventsOfAccount,
  ]) {
    assert.equal(duration * secondMs, hourMs)
  }
  says(`at most ${maxResent.toLocaleString('en')} at once`)
  says(`the first ${maxLoggedLength / 1024} KiB of both bodies`)
  assert.equal(deliveryLimits.bodyBytes, maxLoggedLength)
  says(`The log goes back ${retentionMs / dayMs} days.`)
  says(`of the last ${retentionMs / dayMs} days: \`waiting\``)
  says(`For ${previousSecretMs / hourMs} hours from then both sign`)
})

test('the request on docs/webhooks.md is signed with the secret on it, and is the sample of the contract', () => {
  const [example = ''] = docBlocks('webhooks', 'What is sent', 'http')
  const [head = '', body = ''] = example.trimEnd().split('\n\n')
  const headers = Object.fromEntries(
    head
      .split('\n')
      .slice(1)
      .map((line) => line.split(': ')),
  )
  const [secret = ''] = /whsec_[A-Za-z0-9+/=]+/.exec(page) ?? []
  const { id, type, timestamp, data, ...rest } = JSON.parse(body)
  const sent = { id: headers['webhook-id'], timestamp: Number(headers['webhook-timestamp']), body }
  assert.equal(headers['webhook-signature'], signatureOf(sent, [secret]))
  assert.equal(id, headers['webhook-id'])
  assert.ok(sent.timestamp * secondMs >= Date.parse(timestamp))
  assert.deepEqual([type, data], ['meeting.updated', eventTypes['meeting.updated'].sample])
  assert.deepEqual(rest, { sequence: 2, subject: data.meetingId, actingGrantId: null })
})

test('a real request has the headers and fields of the one on docs/webhooks.md', async () => {
  const app = await startApp({ emails: 'dropped', environment: loopbackReceivers })
  const alice = await signUp(app, 'Alice')
  const [ofEvents, ofMeetings] = [await startReceiver(), await startReceiver()]
  await insertWebhook(app, alice, ofEvents, { types: ['meeting.updated'] })
  await insertWebhook(app, alice, ofMeetings, { types: ['meeting.updated'], payload: 'full' })
  const { body: created } = await alice.send('POST', '/api/meeting?sendUpdates=none', standUp())
  const path = `/api/meeting/meetingDetails/${created.meetingDetails._id}`
  await alice.send('PUT', `${path}?sendUpdates=none`, standUp({ startTime: '2030-01-07T09:15:00Z' }))
  await deliverDue(app)

  const [example = ''] = docBlocks('webhooks', 'What is sent', 'http')
  const [head = '', body = ''] = example.trimEnd().split('\n\n')
  const [request] = ofEvents.requests
  const shownHeaders = head
    .split('\n')
    .slice(1)
    .map((line) => line.split(':')[0] ?? '')
  // How Parley names itself, and what HTTP needs.
  const unmentioned = ['accept-encoding', 'connection', 'content-length', 'user-agent']
  assert.deepEqual(Object.keys(request?.headers ?? {}).toSorted(), [...shownHeaders, ...unmentioned].toSorted())
  const shown = JSON.parse(body)
  assert.deepEqual(Object.keys(request?.event ?? {}), Object.keys(shown))
  assert.deepEqual(Object.keys(request?.event.data ?? {}).toSorted(), Object.keys(shown.data).toSorted())

  const [, names = ''] = /It never has (.*): a program/.exec(page) ?? []
  const hidden = [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  const { body: read } = await alice.send('GET', path)
  const missing = Object.keys(read[0]).filter((name) => !Object.hasOwn(ofMeetings.taken[0]?.meeting ?? {}, name))
  assert.deepEqual(missing.toSorted(), hidden.toSorted())
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { connect } from '@parley/client'
import {
  appStatuses,
  listAccounts,
  listApps,
  listAttendance,
  listMeetings,
  listOccurrences,
  signIn,
} from '@parley/contract'
import { dataFolderOf, runService } from '../apps/server/test/processes/run-service.ts'

const demo = fileURLToPath(new URL('demo.ts', import.meta.url))
const signInsShown = /^- dan@example\.org {4}develops apps$/

test('the demo has people, meetings of every kind and an app in every state, and is created once', async (t) => {
  const environment = { DATA_DIR: await dataFolderOf(t) }
  const start = async () => {
    const service = await runService(t, { environment, command: [process.execPath, demo] })
    await service.waitForOutput(signInsShown)
    const password = /^Sign in with the password (demo-[0-9a-f]{12}) as$/m.exec(service.output())?.[1] ?? ''
    const as = async (name: string) => {
      const body = { email: `${name}@example.org`, password }
      const { token } = await connect({ base: service.base }).call(signIn, { body })
      return connect({ base: service.base, token })
    }
    return { service, as }
  }
  const { service, as } = await start()
  assert.doesNotMatch(service.output(), /first account|set-up/, 'the demo has made it')
  const [olga, alice, bob, dan] = [await as('olga'), await as('alice'), await as('bob'), await as('dan')]

  const { apps } = await dan.call(listApps)
  assert.deepEqual([...new Set(apps.map(({ status }) => status))].toSorted(), [...appStatuses].toSorted())
  assert.ok(apps.some(({ liveRevision, draftRevision }) => liveRevision !== null && draftRevision !== undefined))

  const all = await alice.call(listMeetings, { params: { userId: 'me' }, query: { status: 'all' } })
  const kinds = new Set(all.meetingDetails.map(({ status, repeatOptions }) => `${status} ${repeatOptions.repeat}`))
  assert.deepEqual([...kinds].toSorted(), [
    'active monthly',
    'active none',
    'active weekly',
    'cancelled none',
    'cancelled weekly',
  ])
  const standUp = all.meetingDetails.find(({ topic }) => topic === 'Stand-up')
  const params = { meetingId: standUp?._id ?? '' }
  const query = { limit: 300, status: 'all' } as const
  const { occurrences } = await alice.call(listOccurrences, { params, query })
  assert.equal(occurrences.filter(({ status }) => status === 'cancelled').length, 1)
  const hours = new Set(occurrences.map(({ startTime }) => startTime.slice(11, 13)))
  assert.deepEqual([...hours].toSorted(), ['08', '09'], 'nine in London is eight in UTC half of the year')
  assert.ok((await bob.call(listMeetings, { params: { userId: 'me' } })).totalCount > 1)

  assert.deepEqual(standUp?.participants.map(({ email, response }) => `${email} ${response}`).toSorted(), [
    'bob@example.org accepted',
    'carol@example.org tentative',
    'dan@example.org declined',
  ])
  const kickOff = all.meetingDetails.find(({ topic }) => topic === 'Kick-off')
  const { sessions } = await alice.call(listAttendance, { params: { meetingId: kickOff?._id ?? '' } })
  assert.deepEqual(
    sessions.map(({ stays }) => stays.map(({ name }) => name)),
    [['Alice Baker', 'Bob Kumar', 'Carol Chen', 'Priya', 'Carol Chen']],
  )
  const now = all.meetingDetails.find(({ topic }) => topic === 'Open office hour')
  const untilStartMs = Date.parse(now?.startTime ?? '') - Date.now()
  assert.ok(untilStartMs > -120_000 && untilStartMs <= 60_000, `it begins within a minute: ${untilStartMs}`)

  const accounts = await olga.call(listAccounts)
  assert.equal(accounts.totalCount, 6)
  assert.ok(accounts.accounts.some(({ oauthRequest }) => oauthRequest !== null))

  service.signal('SIGTERM')
  assert.equal((await service.ended).code, 0)
  const again = await start()
  assert.equal((await (await again.as('olga')).call(listAccounts)).totalCount, 6)
})

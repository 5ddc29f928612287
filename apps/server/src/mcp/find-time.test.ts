import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useAssistant } from '../../test/mcp/assistant.ts'
import { schedule, standUp } from '../../test/people.ts'

const { connect, meet, meetHost } = await useAssistant({ start: '2027-03-22T08:00:00Z', emails: 'dropped' })

const at = (from: string, to: string, changes: object = {}) =>
  standUp({ startTime: `2027-${from}:00Z`, endTime: `2027-${to}:00Z`, ...changes })
type Slot = { start: { local: string }; end: { local: string } }
const locals = ({ slots }: { slots: Slot[] }) => slots.map(({ start, end }) => `${start.local} ${end.local}`)

test('finds Alice’s free time around what she hosts, within her working day, across the clock change', async () => {
  const { alice, ofAlice } = await meetHost()
  await schedule(alice, at('03-26T09:00', '03-26T10:00'))
  await schedule(alice, at('03-29T08:30', '03-29T15:00'))
  const result = await ofAlice.done('find_time', {
    from: '2027-03-26T08:00',
    to: '2027-03-29T18:00',
    durationMinutes: 60,
    notBefore: '09:00',
    notAfter: '17:00',
  })
  assert.deepEqual(locals(result), [
    '2027-03-26T09:00 2027-03-26T10:00',
    '2027-03-26T11:00 2027-03-26T17:00',
    '2027-03-27T09:00 2027-03-27T17:00',
    '2027-03-28T09:00 2027-03-28T17:00',
    '2027-03-29T09:00 2027-03-29T10:30',
  ])
  assert.deepEqual(result.slots[0].start, {
    weekday: 'Friday',
    local: '2027-03-26T09:00',
    timeZone: 'Europe/Berlin',
    offset: '+01:00',
    utc: '2027-03-26T08:00:00.000Z',
  })
  assert.equal(result.slots[4].start.offset, '+02:00')
})

test('an invitation counts as busy until Bob declines it, and a meeting of others never does', async () => {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  const [ofBob, ofCarol] = [await connect(bob), await connect(carol)]
  const meeting = await schedule(alice, at('04-05T09:00', '04-05T10:00', { participants: [bob.email] }))
  const search = { from: '2027-04-05T09:00', to: '2027-04-05T11:00', timeZone: 'UTC' }
  assert.deepEqual(locals(await ofBob.done('find_time', search)), ['2027-04-05T10:00 2027-04-05T11:00'])
  assert.deepEqual(locals(await ofCarol.done('find_time', search)), ['2027-04-05T09:00 2027-04-05T11:00'])
  const declined = await bob.send('POST', `/api/meeting/meetingDetails/${meeting._id}/response`, {
    response: 'declined',
  })
  assert.equal(declined.status, 200)
  assert.deepEqual(locals(await ofBob.done('find_time', search)), ['2027-04-05T09:00 2027-04-05T11:00'])
})

test('says in a sentence what is free, or that nothing is', async () => {
  const { alice, ofAlice } = await meetHost()
  await schedule(alice, at('03-26T09:00', '03-26T10:00'))
  const search = { from: '2027-03-26T10:00', to: '2027-03-26T11:00' }
  const none = await ofAlice.call('find_time', search)
  assert.equal(
    none.sentence,
    'There is no free time of 30 minutes between 2027-03-26 10:00 and 2027-03-26 11:00 (Europe/Berlin).',
  )
  assert.deepEqual(none.result.slots, [])
  const one = await ofAlice.call('find_time', { ...search, to: '2027-03-26T11:30' })
  assert.equal(
    one.sentence,
    'One slot is free, the first on Friday, 26 March 2027, 11:00–11:30 (Europe/Berlin, +01:00).',
  )
})

test('finds more dates than one reply of the API holds, and at most fifty slots', async () => {
  const [carol] = await meet('Carol')
  const ofCarol = await connect(carol)
  const daily = { repeat: 'daily', count: 31, timeZone: 'UTC' }
  for (const hour of ['08', '12']) {
    await schedule(carol, at(`05-01T${hour}:00`, `05-01T${hour}:30`, { participants: [], repeatOptions: daily }))
  }
  const month = { from: '2027-05-01T00:00', to: '2027-06-01T00:00', timeZone: 'UTC' }
  const all = await ofCarol.done('find_time', month)
  assert.equal(all.slots.length, 50)
  assert.equal(all.moreAvailable, true)
  assert.deepEqual(locals(all).slice(0, 3), [
    '2027-05-01T00:00 2027-05-01T08:00',
    '2027-05-01T08:30 2027-05-01T12:00',
    '2027-05-01T12:30 2027-05-02T00:00',
  ])
  const long = await ofCarol.done('find_time', { ...month, durationMinutes: 11 * 60 })
  assert.deepEqual([long.slots.length, long.moreAvailable], [31, false])
})

test('looks at a full calendar from the end of each reply on, and refuses one that takes too many', async () => {
  const [mallory] = await meet('Mallory')
  const ofMallory = await connect(mallory)
  // More dates at once than one reply has, and one that lasts into the next day.
  for (let index = 0; index < 52; index++) {
    await schedule(mallory, at('06-01T08:00', '06-01T09:00', { topic: `At once ${index}`, participants: [] }))
  }
  await schedule(mallory, at('06-01T08:30', '06-02T07:00', { topic: 'Night', participants: [] }))
  const days = { from: '2027-06-01T00:00', to: '2027-06-03T00:00', timeZone: 'UTC' }
  assert.deepEqual(locals(await ofMallory.done('find_time', days)), [
    '2027-06-01T00:00 2027-06-01T08:00',
    '2027-06-02T07:00 2027-06-03T00:00',
  ])

  const daily = { repeat: 'daily', count: 31, timeZone: 'UTC' }
  for (let index = 0; index < 27; index++) {
    const time = `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`
    const end = `${time.slice(0, 3)}${index % 2 === 0 ? '05' : '35'}`
    await schedule(
      mallory,
      at(`07-01T${time}`, `07-01T${end}`, { topic: `Daily ${index}`, participants: [], repeatOptions: daily }),
    )
  }
  const month = { from: '2027-07-01T00:00', to: '2027-08-01T00:00', timeZone: 'UTC', durationMinutes: 10 * 60 }
  const refused = await ofMallory.refused('find_time', month)
  const [, until = ''] = /^to must be (\S+) at most, because there are too many dates/.exec(refused) ?? []
  assert.match(until, /^2027-07-30T/)
  const slots = [...locals(await ofMallory.done('find_time', { ...month, to: until }))]
  slots.push(...locals(await ofMallory.done('find_time', { ...month, from: until })))
  assert.equal(slots.length, 31)
  assert.deepEqual(slots[0], '2027-07-01T13:05 2027-07-02T00:00')
})

test('refuses a search that it cannot make, and says what to ask', async () => {
  const { ofAlice, bob } = await meetHost()
  const ofBob = await connect(bob)
  const berlin = { from: '2027-03-26T08:00', to: '2027-03-27T08:00' }
  const refusals: [object, RegExp][] = [
    [
      { ...berlin, from: '2027-03-28T02:30', to: '2027-03-29T00:00' },
      /^from is 02:30, which does not exist on 28 March 2027 in Europe\/Berlin: ask for 01:30 or 03:30/,
    ],
    [{ ...berlin, to: '2027-03-26T08:00' }, /to must be after from/],
    [{ ...berlin, to: '2027-04-26T09:01' }, /at most 31 days/],
    [{ ...berlin, notBefore: '17:00', notAfter: '09:00' }, /notAfter must be later/],
    [{ ...berlin, timeZone: 'Europe/Berlim' }, /names no time zone.*Europe\/Berlin/],
    [{ ...berlin, durationMinutes: 4 }, /at least 5/],
    [{ ...berlin, notBefore: '9am' }, /notBefore/],
  ]
  for (const [sent, message] of refusals) assert.match(await ofAlice.refused('find_time', { ...sent }), message)
  assert.match(await ofBob.refused('find_time', berlin), /^timeZone is missing, .* ask for it/)
})

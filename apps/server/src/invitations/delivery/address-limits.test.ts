import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  dayMs,
  maxMailsToAddressADay,
  maxMailsToOneAddress,
  maxMailsToOneAddressOnFirstDay,
} from '@parley/rules/invitations/mail-limits'
import { createFeed } from '../../../test/calendar-feeds.ts'
import { subjectOf } from '../../../test/mailbox.ts'
import { cancelPath, detailsPath, type Person, schedule, standUp } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const { app, clock, olga, meet, addressOf } = await useApp({ start: '2030-01-01T12:00:00Z' })

/** Run every job again at the clock's time, and list the emails. */
async function delivered(): Promise<string[]> {
  const mails = await app.mails()
  return mails.map((mail) => `${subjectOf(mail)} to ${mail.to}`)
}
const delayOf = async (host: Person, meeting: { _id: string }) => {
  const [{ participants }] = await expectOk(host.send('GET', detailsPath(meeting)))
  return participants[0].mailDelayedUntil
}

test('Mallory cannot flood a stranger: emails beyond the daily limit wait, and only their latest state is sent', async () => {
  const [mallory] = await meet('Mallory')
  const victim = addressOf('Stranger')
  const meetings = []
  for (let count = 0; count < 60; count++) meetings.push(await schedule(mallory, standUp({ participants: [victim] })))
  for (const meeting of meetings.slice(0, 40)) {
    const changed = standUp({ participants: [victim], topic: 'Again' })
    await expectOk(mallory.send('PUT', detailsPath(meeting), changed))
  }
  assert.equal((await delivered()).length, maxMailsToOneAddressOnFirstDay)
  assert.equal((await delivered()).length, 0)
  for (const meeting of meetings) await mallory.send('POST', cancelPath(meeting), { cancel: 'all' })
  clock.advance(dayMs)
  const nextDay = await delivered()
  assert.equal(nextDay.length, maxMailsToOneAddressOnFirstDay, 'cancellations of what had been sent, and nothing else')
  for (const mail of nextDay) assert.match(mail, /^Cancelled: (Again|Stand-up) to stranger\.\d+@example\.org$/)
})

const calendarOf = async (guest: Person) => {
  const text = await (await fetch(`${app.base}${await createFeed(guest)}`)).text()
  const query = 'start=2030-01-07T00:00:00Z&end=2030-01-09T00:00:00Z'
  const { conflicts } = await expectOk(guest.send('GET', `/api/meeting/conflicts?${query}`))
  return { feed: text.match(/^BEGIN:VEVENT/gm)?.length ?? 0, conflicts: conflicts.length }
}

test('a calendar holds what was mailed, and neither what waits for the next day nor what continues it', async () => {
  const [sender, guest] = await meet('Sender', 'Guest')
  const series = standUp({
    participants: [guest.email],
    repeatOptions: { repeat: 'daily', timeZone: 'UTC', endDate: '2030-01-10T00:00:00Z' },
  })
  const meetings = []
  for (let count = 0; count < maxMailsToOneAddressOnFirstDay + 5; count++) meetings.push(await schedule(sender, series))
  await delivered()
  const mailed = { feed: maxMailsToOneAddressOnFirstDay, conflicts: 2 * maxMailsToOneAddressOnFirstDay }
  assert.deepEqual(await calendarOf(guest), mailed)

  const waiting = []
  for (const meeting of meetings) if ((await delayOf(sender, meeting)) !== undefined) waiting.push(meeting)
  assert.equal(waiting.length, 5)
  for (const meeting of waiting) {
    const path = `${detailsPath(meeting)}/split?sendUpdates=none`
    const continued = { startTime: '2030-01-08T09:00:00Z', endTime: '2030-01-08T09:30:00Z' }
    await expectOk(sender.send('POST', path, { ...series, ...continued, occurrence: continued.startTime }))
  }
  assert.deepEqual(await calendarOf(guest), mailed)

  clock.advance(dayMs)
  await delivered()
  assert.equal((await calendarOf(guest)).feed, maxMailsToOneAddressOnFirstDay + 2 * waiting.length)
})

const february = { startTime: '2030-02-07T09:00:00Z', endTime: '2030-02-07T09:30:00Z' }

test('the host sees until when an email waits, and not after it was sent; the email has the latest state', async () => {
  const [dan, erin] = await meet('Dan', 'Erin')
  const times = maxMailsToOneAddress
  // An administrator has the limits of an old account from the first day on.
  for (let count = 0; count < times; count++) {
    await schedule(olga, standUp({ participants: [dan.email], ...february }))
  }
  assert.equal((await delivered()).length, times)
  clock.set('2030-01-01T13:00:00Z')
  const late = await schedule(olga, standUp({ topic: 'Late', participants: [dan.email], ...february }))
  assert.deepEqual(await delivered(), [])
  assert.equal(await delayOf(olga, late), '2030-01-02T12:00:00.000Z')
  assert.equal(await delayOf(dan, late), undefined)

  // Other accounts can still email the same address.
  await schedule(erin, standUp({ topic: 'Hello', participants: [dan.email], ...february }))
  assert.deepEqual(await delivered(), [`Invitation: Hello to ${dan.email}`])

  const renamed = standUp({ topic: 'Later', participants: [dan.email], ...february })
  await expectOk(olga.send('PUT', detailsPath(late), renamed))
  clock.set('2030-01-02T11:59:59Z')
  assert.deepEqual(await delivered(), [])
  clock.set('2030-01-02T12:00:00Z')
  assert.deepEqual(await delivered(), [`Invitation: Later to ${dan.email}`])
  assert.equal(await delayOf(olga, late), undefined)
})

test('a guest who was told of a cancellation is told that it was undone, also at the limit, but not without end', async () => {
  const [host] = await meet('Hana')
  const guest = addressOf('Frank')
  const meeting = await schedule(
    host,
    standUp({ participants: [guest], ...february, repeatOptions: { repeat: 'daily', timeZone: 'UTC' } }),
  )
  const { occurrences } = await expectOk(host.send('GET', `${detailsPath(meeting)}/occurrences?limit=20`))
  const dates: string[] = occurrences.map(({ originalStartTime }: { originalStartTime: string }) => originalStartTime)
  const cancel = async (occurrence: string | undefined) => {
    await expectOk(host.send('POST', cancelPath(meeting), { cancel: 'current', occurrence }))
    return delivered()
  }
  const restore = async (occurrence: string | undefined) => {
    const path = `${detailsPath(meeting)}/occurrences/${encodeURIComponent(occurrence ?? '')}/restore`
    await expectOk(host.send('POST', path))
    return delivered()
  }
  assert.equal((await delivered()).length, 1)
  for (const date of dates.slice(1, maxMailsToOneAddressOnFirstDay)) assert.equal((await cancel(date)).length, 1)
  assert.deepEqual(await cancel(dates[0]), [], 'a cancellation waits for the next day')
  // The correction tells of the waiting cancellation as well.
  assert.deepEqual(await restore(dates[1]), [`Changed: Stand-up to ${guest}`])
  for (const date of dates.slice(2, maxMailsToOneAddressOnFirstDay)) assert.equal((await restore(date)).length, 1)
  assert.deepEqual(await restore(dates[0]), [`Changed: Stand-up to ${guest}`])
  assert.deepEqual(await cancel(dates[1]), [])
  clock.advance(dayMs)
  assert.deepEqual((await delivered()).length, 1)
})

test('limits the emails of an address a day over all accounts', async () => {
  const erin = addressOf('Erin')
  const meeting = await schedule(olga, standUp({ participants: [erin], ...february }))
  await delivered()
  const others = `insert into guest_mail (meeting_id, email_key, id, kind, sequence, state_sequence, sender_id, started_at, outcome)
    select gen_random_uuid(), $3, gen_random_uuid(), 'invitation', 0, 0, gen_random_uuid(), $1, 'sent'
    from generate_series(1, $2::integer)`
  clock.advance(1000)
  await app.pool.query(others, [clock.now(), maxMailsToAddressADay - 2, erin])
  const invite = () => schedule(olga, standUp({ participants: [erin], ...february }))
  await invite()
  assert.equal((await delivered()).length, 1)
  const held = await invite()
  assert.deepEqual(await delivered(), [])
  assert.equal(await delayOf(olga, held), '2030-01-02T12:00:00.000Z')
  assert.equal(await delayOf(olga, meeting), undefined)
  clock.set('2030-01-02T12:00:00Z')
  assert.equal((await delivered()).length, 1)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetPeople, schedule, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'
import { dropWaitingStatement } from '../cli/mails.ts'

const app = await startApp({ environment: { RATE_LIMITS: 'off' } })
const { olga, alice, carol } = await meetPeople(app)

/** Schedule a meeting whose invitations were sent. */
async function invited(meeting: object = standUp()) {
  const made = await schedule(alice, meeting)
  await app.mails()
  return made
}

const unfolded = (text: string | undefined) => (text ?? '').replaceAll('\r\n ', '')

/** The parts of a mail in which a message stands. */
async function onlyMail() {
  const mails = await app.mails()
  assert.equal(mails.length, 1, mails.map(({ to, subject }) => `${subject} to ${to}`).join())
  const [mail] = mails
  const comment = /^COMMENT:[^\r\n]*/m.exec(unfolded(mail?.calendar?.text))?.[0]
  return { text: mail?.text ?? '', html: mail?.html ?? '', comment }
}

const messagesKept = async () =>
  (
    await app.database
      .selectFrom('guestDelivery')
      .select('message')
      .where((row) => row.or([row('message', 'is not', null), row('messageBy', 'is not', null)]))
      .execute()
  ).length

test('stands at the top of text and HTML with its author, and in COMMENT; its marks and addresses do nothing', async () => {
  const meeting = await invited()
  const message = 'I am ill, sorry;\nmore at <b>https://example.org/x</b>'
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all', message }))
  const { text, html, comment } = await onlyMail()
  assert.match(
    text,
    /Stand-up\n\nMessage from .*Alice.*:\n> I am ill, sorry;\n> more at <b>https:\/\/example\.org\/x<\/b>\n\n/,
  )
  assert.match(html, /Message from .*Alice/)
  assert.match(html, /I am ill, sorry;<br>more at &lt;b&gt;https:\/\/example\.org\/x&lt;\/b&gt;/)
  assert.doesNotMatch(html, /href="https:\/\/example\.org/)
  assert.equal(comment, 'COMMENT:I am ill\\, sorry\\;\\nmore at <b>https://example.org/x</b>')
  assert.equal(await messagesKept(), 0)
  assert.ok(!app.logged.join('').includes('I am ill'), 'the log has the message')
})

test('names the cohost who wrote it, in changes of a meeting, of a date, and of this and all following', async () => {
  const series = weekdays({ cohosts: ['carol@example.org'], participants: ['bob@example.org'] })
  const meeting = await invited(series)
  const mailOfBob = async () => {
    const mails = await app.mails()
    const texts = mails.filter(({ to }) => to === 'bob@example.org').map(({ text }) => text)
    assert.ok(texts.length > 0)
    return texts
  }
  const date = `${detailsPath(meeting)}/occurrences/2030-01-08T09:00:00Z`
  await expectOk(carol.send('PUT', date, { startTime: '2030-01-08T10:00:00Z', message: 'The room is taken.' }))
  for (const text of await mailOfBob()) assert.match(text, /Message from .*Carol.*:\n> The room is taken\./)
  await expectOk(alice.send('PUT', detailsPath(meeting), { ...series, topic: 'Round', message: 'A better name.' }))
  for (const text of await mailOfBob()) assert.match(text, /Message from .*Alice.*:\n> A better name\./)
  const split = { occurrence: '2030-01-21T09:00:00Z', topic: 'Circle', message: 'From the third week on.' }
  await expectOk(alice.send('POST', `${detailsPath(meeting)}/split`, split))
  const texts = await mailOfBob()
  assert.equal(texts.length, 2)
  for (const text of texts) assert.match(text, /> From the third week on\./)
  assert.equal(await messagesKept(), 0)
})

test('of several changes in one mail the latest message is sent, and a later change without one keeps it', async () => {
  const meeting = await invited()
  for (const [topic, message] of [
    ['One', 'first'],
    ['Two', 'second'],
    ['Three', undefined],
  ]) {
    await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic, ...(message && { message }) })))
  }
  const { text, comment } = await onlyMail()
  assert.match(text, /> second/)
  assert.doesNotMatch(text, /first/)
  assert.equal(comment, 'COMMENT:second')
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Four' })))
  assert.equal((await onlyMail()).comment, undefined)
})

test('is refused where no one is mailed, and changes nothing', async () => {
  const meeting = await invited()
  const alone = await invited(standUp({ participants: [] }))
  const refused = [
    [`${detailsPath(meeting)}?sendUpdates=none`, standUp({ topic: 'Quiet' })],
    [detailsPath(meeting), standUp()],
    [detailsPath(alone), standUp({ participants: [], topic: 'Alone' })],
  ] as const
  for (const [path, body] of refused) {
    await expectProblem(alice.send('PUT', path, { ...body, message: 'Hello' }), 'invalid_request', [
      '/message not_mailed',
    ])
  }
  const cancellation = { cancel: 'all', message: 'Hello' }
  const quiet = alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, cancellation)
  await expectProblem(quiet, 'invalid_request', ['/message not_mailed'])
  const [{ topic, status }] = await expectOk(alice.send('GET', detailsPath(meeting)))
  assert.deepEqual([topic, status], ['Stand-up', 'active'])
  assert.deepEqual(await app.mails(), [])
})

test('has 500 characters, not 501, and no control characters; an empty one is none', async () => {
  const meeting = await invited()
  const update = (message: string) => alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Longer', message }))
  await expectProblem(update('x'.repeat(501)), 'invalid_request', ['/message too_long'])
  await expectProblem(update('\u0007'), 'invalid_request', ['/message control_character'])
  await expectOk(update(' \n '))
  assert.equal((await onlyMail()).comment, undefined)
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ message: '\u{1f642}'.repeat(500) })))
  assert.equal((await onlyMail()).comment, `COMMENT:${'\u{1f642}'.repeat(500)}`)
})

test('goes with a cancellation that is undone: no later mail has it', async () => {
  const meeting = await invited()
  const cancellation = { cancel: 'all', message: 'We do not meet.' }
  await expectOk(alice.send('POST', `${cancelPath(meeting)}?undoable=true`, cancellation))
  await expectOk(alice.send('POST', `${cancelPath(meeting)}/undo`))
  assert.equal(await messagesKept(), 0)
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'We do meet' })))
  const { text, comment } = await onlyMail()
  assert.doesNotMatch(text, /We do not meet/)
  assert.equal(comment, undefined)
})

test('a repeated cancellation is answered again, and its message is sent once', async () => {
  const meeting = await invited()
  const cancellation = { cancel: 'all', message: 'Too few of us.' }
  await expectOk(alice.send('POST', cancelPath(meeting), cancellation))
  await expectOk(alice.send('POST', cancelPath(meeting), cancellation))
  assert.match((await onlyMail()).text, /> Too few of us\./)
})

test('is dropped with its mail where an operator restores a backup without the mails that waited', async () => {
  const meeting = await invited()
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'One', message: 'The room is taken.' })))
  await dropWaitingStatement.executeOn(app.pool, {})
  assert.equal(await messagesKept(), 0)
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Two' })))
  assert.equal((await onlyMail()).comment, undefined)
})

test('of an administrator is named as theirs, not as the host’s', async () => {
  const meeting = await invited()
  await expectOk(olga.send('POST', cancelPath(meeting), { cancel: 'all', message: 'The building is closed.' }))
  const mail = (await app.mails()).find(({ to }) => to === 'bob@example.org')
  assert.match(mail?.text ?? '', /Message from .*Olga.*:\n> The building is closed\./)
  await expectOk(olga.send('POST', `${cancelPath(meeting)}/restore`))
  const again = (await app.mails()).find(({ to }) => to === 'bob@example.org')
  assert.match(again?.subject ?? '', /^Takes place again: Stand-up/)
  assert.doesNotMatch(again?.text ?? '', /Olga|The building is closed/)
  const [seen] = await expectOk(olga.send('GET', detailsPath(meeting)))
  const times = { startTime: '2030-01-07T11:00:00Z', endTime: '2030-01-07T11:30:00Z' }
  const asRead = standUp({ participants: [], advancedOptions: seen.advancedOptions, ...times })
  const change = { ...asRead, message: 'Two hours later.' }
  await expectOk(olga.send('PUT', detailsPath(meeting), change))
  const changed = (await app.mails()).find(({ to }) => to === 'bob@example.org')
  assert.match(changed?.text ?? '', /Message from .*Olga.*:\n> Two hours later\./)
})

test('of an author whose account was deleted before the mail is not sent, and the mail is', async () => {
  const meeting = await invited(standUp({ cohosts: ['carol@example.org'] }))
  await expectOk(
    carol.send(
      'PUT',
      detailsPath(meeting),
      standUp({ topic: 'Round', cohosts: ['carol@example.org'], message: 'See you.' }),
    ),
  )
  const setDeleted = (deletedAt: Date | null) =>
    app.database.updateTable('account').set({ deletedAt }).where('id', '=', carol.profile._id).execute()
  await setDeleted(new Date())
  const mails = await app.mails()
  await setDeleted(null)
  assert.ok(mails.some(({ to, subject }) => to === 'bob@example.org' && subject.startsWith('Changed: Round')))
  for (const { text, calendar } of mails) assert.doesNotMatch(`${text}${calendar?.text}`, /See you/)
  assert.equal(await messagesKept(), 0)
})

test('cannot pose as another text: line ends, tags, overrides of direction and properties of calendars', async () => {
  const meeting = await invited()
  const update = (message: string) => alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Other', message }))
  for (const refused of ['a\rb', 'a\u202eb', 'a\u202db', 'a\u0085b', 'a\u0000b']) {
    await expectProblem(update(refused), 'invalid_request', ['/message control_character'])
  }
  const written = 'one\r\nSTATUS:CANCELLED\nBEGIN:VEVENT\u2028Message from Bob:</div><script>'
  await expectOk(update(written))
  const { text, html, comment } = await onlyMail()
  assert.match(text, /:\n> one\n> STATUS:CANCELLED\n> BEGIN:VEVENT\u2028> Message from Bob:<\/div><script>\n\n/)
  assert.match(html, /one<br>STATUS:CANCELLED<br>BEGIN:VEVENT\u2028Message from Bob:&lt;\/div&gt;&lt;script&gt;/)
  assert.equal(comment, 'COMMENT:one\\nSTATUS:CANCELLED\\nBEGIN:VEVENT\u2028Message from Bob:</div><script>')
})

test('is kept for its mail where a cancellation without one is taken back', async () => {
  const meeting = await invited(weekdays())
  for (const [topic, cancel] of [
    ['One', 'all'],
    ['Two', 'following'],
  ]) {
    await expectOk(alice.send('PUT', detailsPath(meeting), weekdays({ topic, message: `It is ${topic}.` })))
    const cancellation = { cancel, occurrence: '2030-01-16T09:00:00Z' }
    await expectOk(alice.send('POST', `${cancelPath(meeting)}?undoable=true`, cancellation))
    await expectOk(alice.send('POST', `${cancelPath(meeting)}/undo`))
    assert.equal((await onlyMail()).comment, `COMMENT:It is ${topic}.`)
  }
  await expectOk(alice.send('PUT', detailsPath(meeting), weekdays({ topic: 'Three', message: 'It is Three.' })))
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all' }))
  await expectOk(alice.send('POST', `${cancelPath(meeting)}/restore`))
  assert.equal((await onlyMail()).comment, 'COMMENT:It is Three.')
})

test('goes with the cancellation of its date, its meeting, or all following, that is taken back before the mail', async () => {
  const meeting = await invited(weekdays())
  const cancellation = { cancel: 'current', occurrence: '2030-01-09T09:00:00Z', message: 'Not on this day.' }
  await expectOk(alice.send('POST', cancelPath(meeting), cancellation))
  await expectOk(alice.send('POST', `${detailsPath(meeting)}/occurrences/2030-01-09T09:00:00Z/restore`))
  assert.equal(await messagesKept(), 0)
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all', message: 'Never again.' }))
  await expectOk(alice.send('POST', `${cancelPath(meeting)}/restore`))
  assert.equal(await messagesKept(), 0)
  const following = { cancel: 'following', occurrence: '2030-01-16T09:00:00Z', message: 'Two weeks only.' }
  await expectOk(alice.send('POST', `${cancelPath(meeting)}?undoable=true`, following))
  await expectOk(alice.send('POST', `${cancelPath(meeting)}/undo`))
  assert.equal(await messagesKept(), 0)
  assert.deepEqual(await app.mails(), [])
})

test('is kept for its mail where another date is restored', async () => {
  const meeting = await invited(weekdays())
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: '2030-01-09T09:00:00Z' }))
  await app.mails()
  await expectOk(alice.send('PUT', detailsPath(meeting), weekdays({ topic: 'Round', message: 'A better name.' })))
  await expectOk(alice.send('POST', `${detailsPath(meeting)}/occurrences/2030-01-09T09:00:00Z/restore`))
  assert.match((await onlyMail()).text, /> A better name\./)
})

import type { Mail } from '../../src/email/mail.ts'
import type { Metrics } from '../../src/metrics/metrics.ts'
import { detailsPath, meetPeople, schedule, standUp } from '../people.ts'
import { createClock, startApp } from '../start-app.ts'
import type { ReplyFields } from './calendar-replies.ts'

/** The lines of a calendar object, without folds. */
export const linesOf = (text = '') => text.replaceAll('\r\n ', '').split('\r\n')
export const organizerIn = (text?: string) => linesOf(text).find((line) => line.startsWith('ORGANIZER')) ?? ''
export const replyAddressIn = (text?: string) => organizerIn(text).split(':mailto:').at(-1) ?? ''
export const toBob = (mails: readonly Mail[], address = 'bob@example.org') =>
  mails.find(({ to }) => to === address)?.calendar?.text

/** What Bob's calendar program knows of an invitation. */
export const replyFieldsOf = (text: string | undefined, from = 'bob@example.org'): ReplyFields => ({
  to: replyAddressIn(text),
  from,
  uid: /\r\nUID:(\S+)/.exec(text?.replaceAll('\r\n ', '') ?? '')?.[1] ?? '',
  partstat: 'ACCEPTED',
})

/** A service that takes the answers of calendar programs, at noon on 1 January 2030; Alice hosts. */
export async function startReplyMailbox({ metrics }: { metrics?: Metrics } = {}) {
  const clock = createClock('2030-01-01T12:00:00Z')
  const environment = { RATE_LIMITS: 'off', REPLY_ADDRESS: 'rsvp@meet.example.org', MAIL_FROM: 'meet@acme.example' }
  const app = await startApp({ clock, environment, ...(metrics && { metrics }) })
  const people = await meetPeople(app)
  const { alice } = people
  return {
    app,
    clock,
    ...people,
    async invite(meeting: object = standUp(), participants = ['bob@example.org']) {
      const scheduled = await schedule(alice, { ...meeting, participants })
      const mails = await app.mails()
      return { meeting: scheduled, mails, replyFields: replyFieldsOf(toBob(mails)) }
    },
    receive: (content: string | Buffer, { recipients = [] as string[], isBounce = false } = {}) =>
      app.receiveMail({ content: Buffer.from(content), recipients, isBounce }),
    /** The response to the meeting, as the host sees it. */
    async responseOf(meeting: { _id: string }, email = 'bob@example.org') {
      const { body } = await alice.send('GET', detailsPath(meeting))
      return body[0].participants.find((one: { email: string }) => one.email === email)?.response
    },
  }
}

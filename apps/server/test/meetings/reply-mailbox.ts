import type { Mail } from '../../src/email/mail.ts'
import { detailsPath, schedule, standUp } from '../people.ts'
import { expectOk } from '../replies.ts'
import { useApp } from '../use-app.ts'
import type { ReplyFields } from './calendar-replies.ts'

/** The lines of a calendar object, without folds. */
export const linesOf = (text = '') => text.replaceAll('\r\n ', '').split('\r\n')
export const organizerIn = (text?: string) => linesOf(text).find((line) => line.startsWith('ORGANIZER')) ?? ''
export const replyAddressIn = (text?: string) => organizerIn(text).split(':mailto:').at(-1) ?? ''
/** The calendar in the first email to an address. */
export const calendarTo = (address: string, mails: readonly Mail[]) =>
  mails.find(({ to }) => to === address)?.calendar?.text

/** What a guest's calendar program knows of an invitation. */
export const replyFieldsOf = (text: string | undefined, from: string): ReplyFields => ({
  to: replyAddressIn(text),
  from,
  uid: /\r\nUID:(\S+)/.exec(text?.replaceAll('\r\n ', '') ?? '')?.[1] ?? '',
  partstat: 'ACCEPTED',
})

/** Start one app for the tests of a file that takes the answers of calendar programs. */
export async function useReplyMailbox(options: Parameters<typeof useApp>[0] = {}) {
  const environment = { RATE_LIMITS: 'off', REPLY_ADDRESS: 'rsvp@meet.example.org', MAIL_FROM: 'meet@acme.example' }
  const used = await useApp({ start: '2030-01-01T12:00:00Z', environment, ...options })
  const { app, meet } = used
  return {
    ...used,
    receive: (content: string | Buffer, { recipients = [] as string[], isBounce = false } = {}) =>
      app.receiveMail({ content: Buffer.from(content), recipients, isBounce }),
    /** Meet Alice, who hosts, and people whom she may invite. */
    async meetGuests() {
      const [alice, bob, carol, mallory] = await meet('Alice', 'Bob', 'Carol', 'Mallory')
      return {
        alice,
        bob,
        carol,
        mallory,
        /** Invite Bob, or others in his place, and return what his calendar program knows. */
        async invite(meeting: object = standUp(), participants = [bob.email]) {
          const scheduled = await schedule(alice, { ...meeting, participants })
          const mails = await app.mails()
          return { meeting: scheduled, mails, replyFields: replyFieldsOf(calendarTo(bob.email, mails), bob.email) }
        },
        /** The response to the meeting, as the host sees it. */
        async responseOf(meeting: { _id: string }, email = bob.email) {
          const [details] = await expectOk(alice.send('GET', detailsPath(meeting)))
          return details.participants.find((one: { email: string }) => one.email === email)?.response
        },
      }
    },
  }
}

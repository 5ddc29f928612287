import type { Mail, Mailer } from '../src/email/mail.ts'

/** The emails to some addresses; how these are handed over can be changed at any time. */
export type Mailbox = {
  taken: Mail[]
  /** Number of emails handed over, accepted or not. */
  tries: number
  /** Throw this error instead of accepting the email. */
  refuse: (mail: Mail) => Error | undefined
  /** Accept the email, then throw this error, as if the server's reply were lost. A promise delays the reply. */
  loseAnswer: (mail: Mail) => Error | undefined | Promise<undefined>
}

/** Create the mail server of a file's tests. Each test opens a mailbox for its own addresses; emails to others are lost. */
export function createMailServer() {
  const boxes = new Map<string, Mailbox>()
  const mailer: Mailer = {
    async deliver(mail) {
      const box = boxes.get(mail.to)
      if (box === undefined) return
      box.tries++
      const refusal = box.refuse(mail)
      if (refusal !== undefined) throw refusal
      box.taken.push(mail)
      const lost = await box.loseAnswer(mail)
      if (lost !== undefined) throw lost
    },
    close() {},
  }
  return {
    mailer,
    openMailbox(...addresses: string[]): Mailbox {
      const box: Mailbox = { taken: [], tries: 0, refuse: () => undefined, loseAnswer: () => undefined }
      for (const address of addresses) boxes.set(address, box)
      return box
    },
  }
}

/** A mail server's refusal, as nodemailer reports it. */
export const refusal = (to: string, responseCode: number, command = 'RCPT TO') =>
  Object.assign(new Error(`${responseCode} for ${to}`), { code: 'EENVELOPE', command, responseCode })

/** The mail server stopped replying after it had received the whole email. */
export const silence = () => Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT', timeoutType: 'SOCKET_TIMEOUT' })

/** Return a property of the first event in the email's calendar. */
export function calendarProperty(mail: Mail | undefined, name: string): string | undefined {
  const calendar = mail?.calendar?.text.replaceAll('\r\n ', '').replaceAll('\r', '') ?? ''
  const event = calendar.slice(Math.max(calendar.indexOf('BEGIN:VEVENT'), 0))
  return new RegExp(`^${name}[;:](.*)$`, 'm').exec(event)?.[1]
}

/** The subject without the time that follows the topic; the samples in docs/mail-samples show both. */
export const subjectOf = (mail: Mail | undefined): string | undefined => mail?.subject.replace(/ · \u2068?[^·]*$/, '')

/** List the emails in order: subject, method and SEQUENCE of the calendar, address. */
export const listed = (mails: readonly Mail[]): string[] =>
  mails.map((mail) => `${subjectOf(mail)} ${mail.calendar?.method} ${calendarProperty(mail, 'SEQUENCE')} to ${mail.to}`)

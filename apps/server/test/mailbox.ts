import type { Mail, Mailer } from '../src/email/mail.ts'

/** A mailer that keeps what it takes, and does with each mail what it is told at this moment. */
export type Mailbox = {
  taken: Mail[]
  /** How often something was handed over, taken or not. */
  tries: number
  /** An error is thrown in place of taking the mail. */
  refuse: (mail: Mail) => Error | undefined
  /** The same after the mail was taken: an answer that was lost on its way. */
  loseAnswer: (mail: Mail) => Error | undefined
  mailer: Mailer
}

export function openMailbox(): Mailbox {
  const box: Mailbox = {
    taken: [],
    tries: 0,
    refuse: () => undefined,
    loseAnswer: () => undefined,
    mailer: {
      async deliver(mail) {
        box.tries++
        const refusal = box.refuse(mail)
        if (refusal !== undefined) throw refusal
        box.taken.push(mail)
        const lost = box.loseAnswer(mail)
        if (lost !== undefined) throw lost
      },
      close() {},
    },
  }
  return box
}

/** What a mail server answers, as nodemailer reports it. */
export const refusal = (to: string, responseCode: number, command = 'RCPT TO') =>
  Object.assign(new Error(`${responseCode} for ${to}`), { code: 'EENVELOPE', command, responseCode })

/** The server fell silent after it had got the whole mail. */
export const silence = () => Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT', timeoutType: 'SOCKET_TIMEOUT' })

/** A property of the first event in the mail's calendar. */
export function calendarProperty(mail: Mail | undefined, name: string): string | undefined {
  const calendar = mail?.calendar?.text.replaceAll('\r\n ', '').replaceAll('\r', '') ?? ''
  const event = calendar.slice(Math.max(calendar.indexOf('BEGIN:VEVENT'), 0))
  return new RegExp(`^${name}[;:](.*)$`, 'm').exec(event)?.[1]
}

/** Who was mailed what, in order: the subject, the calendar's method and SEQUENCE, the address. */
export const listed = (mails: readonly Mail[]): string[] =>
  mails.map((mail) => `${mail.subject} ${mail.calendar?.method} ${calendarProperty(mail, 'SEQUENCE')} to ${mail.to}`)

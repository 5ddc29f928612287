import type { EnvironmentReader } from './environment.ts'

/** For how many days records are kept; 0 is for good, where that is allowed. An hourly job deletes what is older. */
export type RetentionConfig = {
  /** Who was in which call. */
  historyDays: number
  /** What developers read in the log of their app. */
  appEventDays: number
  /** Which mails about meetings went to whom. */
  mailRecordDays: number
  /** Sign-ins, refused ones, and the ends of sessions, in the security and the audit log. */
  signInDays: number
  /** Everything in the audit log. */
  auditLogDays: number
}

type Setting = { name: string; usual: number; least: number; mayBeForGood: boolean }

const settings: Record<keyof RetentionConfig, Setting> = {
  historyDays: { name: 'RETAIN_HISTORY_DAYS', usual: 0, least: 1, mayBeForGood: true },
  appEventDays: { name: 'RETAIN_APP_EVENTS_DAYS', usual: 90, least: 1, mayBeForGood: false },
  // The daily limits count these records, and threads of mails name them.
  mailRecordDays: { name: 'RETAIN_MAIL_RECORDS_DAYS', usual: 180, least: 7, mayBeForGood: false },
  signInDays: { name: 'RETAIN_SIGN_INS_DAYS', usual: 180, least: 1, mayBeForGood: false },
  auditLogDays: { name: 'RETAIN_AUDIT_LOG_DAYS', usual: 0, least: 30, mayBeForGood: true },
}

/** A century. */
const maxDays = 36_500

export const retentionNames = Object.entries(settings).map(
  ([key, { name }]) => [key as keyof RetentionConfig, name] as const,
)

export const defaultRetention: RetentionConfig = {
  historyDays: settings.historyDays.usual,
  appEventDays: settings.appEventDays.usual,
  mailRecordDays: settings.mailRecordDays.usual,
  signInDays: settings.signInDays.usual,
  auditLogDays: settings.auditLogDays.usual,
}

export function readRetention(read: EnvironmentReader): RetentionConfig {
  const days = (key: keyof RetentionConfig) => {
    const { name, usual, least, mayBeForGood } = settings[key]
    const range = `a number of days from ${least} to ${maxDays}${mayBeForGood ? ', or 0 to keep everything' : ''}`
    const parse = (text: string) => {
      if (!/^\d{1,5}$/.test(text)) return undefined
      const number = Number(text)
      if (number === 0) return mayBeForGood ? 0 : undefined
      return number >= least && number <= maxDays ? number : undefined
    }
    return read.parsed(name, usual, range, parse)
  }
  return {
    historyDays: days('historyDays'),
    appEventDays: days('appEventDays'),
    mailRecordDays: days('mailRecordDays'),
    signInDays: days('signInDays'),
    auditLogDays: days('auditLogDays'),
  }
}

const dayMs = 24 * 60 * 60 * 1000

/** What is older goes; undefined where everything is kept. */
export const oldestKept = (now: Date, days: number): Date | undefined =>
  days === 0 ? undefined : new Date(now.getTime() - days * dayMs)

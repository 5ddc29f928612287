import type { EnvironmentReader } from './environment.ts'

/**
 * How many days records are kept; 0 means for ever, where that is allowed. An hourly job deletes older ones. Attendance
 * and the audit log have no default limit: operators and hosts rely on them.
 */
export type RetentionConfig = {
  /** Attendance. */
  historyDays: number
  /** The event logs of apps. */
  appEventDays: number
  /** Records of mails about meetings. */
  mailRecordDays: number
  /** Sign-ins, refused sign-ins and ends of sessions, in the security and the audit log. */
  signInDays: number
  /** All entries of the audit log. */
  auditLogDays: number
}

type Setting = { name: string; defaultDays: number; minDays: number; mayBeUnlimited: boolean }

const settings: Record<keyof RetentionConfig, Setting> = {
  historyDays: { name: 'RETAIN_HISTORY_DAYS', defaultDays: 0, minDays: 1, mayBeUnlimited: true },
  appEventDays: { name: 'RETAIN_APP_EVENTS_DAYS', defaultDays: 90, minDays: 1, mayBeUnlimited: false },
  // The daily limits count these records, and mail threads refer to them.
  mailRecordDays: { name: 'RETAIN_MAIL_RECORDS_DAYS', defaultDays: 180, minDays: 7, mayBeUnlimited: false },
  signInDays: { name: 'RETAIN_SIGN_INS_DAYS', defaultDays: 180, minDays: 1, mayBeUnlimited: false },
  auditLogDays: { name: 'RETAIN_AUDIT_LOG_DAYS', defaultDays: 0, minDays: 30, mayBeUnlimited: true },
}

/** A hundred years. */
const maxRetentionDays = 36_500

export const retentionNames = Object.entries(settings).map(
  ([key, { name }]) => [key as keyof RetentionConfig, name] as const,
)

export const defaultRetention: RetentionConfig = {
  historyDays: settings.historyDays.defaultDays,
  appEventDays: settings.appEventDays.defaultDays,
  mailRecordDays: settings.mailRecordDays.defaultDays,
  signInDays: settings.signInDays.defaultDays,
  auditLogDays: settings.auditLogDays.defaultDays,
}

export function readRetention(read: EnvironmentReader): RetentionConfig {
  const days = (key: keyof RetentionConfig) => {
    const { name, defaultDays, minDays, mayBeUnlimited } = settings[key]
    const range = `a number of days from ${minDays} to ${maxRetentionDays}${mayBeUnlimited ? ', or 0 to keep everything' : ''}`
    const parse = (text: string) => {
      if (!/^\d{1,5}$/.test(text)) return undefined
      const number = Number(text)
      if (number === 0) return mayBeUnlimited ? 0 : undefined
      return number >= minDays && number <= maxRetentionDays ? number : undefined
    }
    return read.parsed(name, defaultDays, range, parse)
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

/** The time before which records are deleted; undefined when all are kept. */
export const retentionCutoff = (now: Date, days: number): Date | undefined =>
  days === 0 ? undefined : new Date(now.getTime() - days * dayMs)

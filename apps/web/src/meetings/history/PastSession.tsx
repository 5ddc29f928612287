import type { RoomSession } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeMoment, writeSpan, writeTime, writeTimes } from '../../texts/dates.ts'
import classes from './PastSession.module.css'

type PastSessionProps = { session: RoomSession; opened: boolean }

/** One past session of the meeting. The newest one is expanded. */
export function PastSession({ session: { startedOn, endedOn, stays }, opened }: PastSessionProps) {
  const { t, i18n } = useTranslation(['meeting', 'app'])
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  const people = new Set(stays.map(({ name, email }) => email ?? name)).size
  return (
    <details className={classes.session} open={opened}>
      <summary className={classes.summary}>
        <span className={classes.when}>
          {endedOn === null
            ? t('history.running', { time: writeMoment(startedOn, dateFormat) })
            : writeSpan(startedOn, endedOn, dateFormat)}
        </span>{' '}
        <span className={classes.detail}>{t('app:people', { count: people })}</span>
      </summary>
      <ul className={classes.stays}>
        {stays.map(({ name, email, role, joinedOn, leftOn }) => (
          <li key={`${email ?? name} ${joinedOn}`} className={classes.stay}>
            <span>
              {name === '' ? t('app:guest') : name}
              {role !== 'participant' && <span className={classes.detail}> · {t(`app:roles.${role}`)}</span>}
              {email !== null && <span className={classes.address}>{email}</span>}
            </span>
            <span className={classes.detail}>
              {leftOn === null
                ? t('history.since', { time: writeTime(joinedOn, dateFormat) })
                : writeTimes(joinedOn, leftOn, dateFormat)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

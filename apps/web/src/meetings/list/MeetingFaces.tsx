import type { ListedMeetingReply } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { PersonPortrait } from '../../room/tiles/PersonPortrait.tsx'
import { usePerson } from '../../session/session.ts'
import { regional } from '../../texts/dates.ts'
import { writeName } from '../meeting-status.ts'
import classes from './MeetingFaces.module.css'

const maxFaces = 3

/** The other people of a meeting, its host first: avatars on screen, names for screen readers. */
export function MeetingFaces({ meeting: { hostInfo, participants } }: { meeting: ListedMeetingReply }) {
  const { t, i18n } = useTranslation('meetings')
  const person = usePerson()
  const others = [hostInfo, ...participants]
    .filter(({ email }) => email.toLowerCase() !== person.email.toLowerCase())
    .map((one) => writeName(one) || one.email)
    .filter((name) => name !== '')
  if (others.length === 0) return null
  const shown = others.slice(0, maxFaces)
  const more = others.length - shown.length
  const names = more === 0 ? shown : [...shown, t('faces.more', { count: more })]
  const words = t('faces.with', { names: new Intl.ListFormat(regional(i18n.language)).format(names) })
  return (
    <span className={classes.faces} title={words}>
      {shown.map((name) => (
        <PersonPortrait key={name} name={name} />
      ))}
      {more > 0 && (
        <span className={classes.more} aria-hidden>
          {`+${new Intl.NumberFormat(i18n.language).format(more)}`}
        </span>
      )}
      <span className="hidden">{words}</span>
    </span>
  )
}

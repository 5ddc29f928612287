import { useTranslation } from 'react-i18next'
import { useSnapshot } from '../room-context.ts'
import { reactionName } from '../tools/reaction-name.ts'
import classes from './ShownReactions.module.css'

/** Signs rise for a few seconds and are gone; more than these would hide the people. */
const mostShown = 8

export function ShownReactions() {
  const { t } = useTranslation('room')
  const { reactions, me } = useSnapshot()
  return (
    <ul className={classes.reactions} aria-label={t('tools.reactions')}>
      {reactions.slice(-mostShown).map(({ id, from, name, emoji }) => (
        <li key={id} className={classes.reaction}>
          <span role="img" aria-label={t(`reactions.${reactionName(emoji)}`)} className={classes.sign}>
            {emoji}
          </span>
          <span className={classes.name}>{from === me?.id ? t('chat.you') : name}</span>
        </li>
      ))}
    </ul>
  )
}

import { useTranslation } from 'react-i18next'
import { useSnapshot } from '../room-context.ts'
import { reactionName } from '../tools/reaction-name.ts'
import classes from './ShownReactions.module.css'

/**
 * Reactions appear for a few seconds, in one row at the top of the stage, because names are at the bottom of each tile.
 * The newest is first, so that a narrow screen cuts off the oldest.
 */
const maxShown = 8

export function ShownReactions() {
  const { t } = useTranslation('room')
  const { reactions, me } = useSnapshot()
  return (
    <ul className={classes.reactions} aria-label={t('tools.reactions')}>
      {reactions
        .slice(-maxShown)
        .toReversed()
        .map(({ id, from, name, emoji }) => (
          <li key={id} className={classes.reaction}>
            <span role="img" aria-label={t(`reactions.${reactionName(emoji)}`)} className={classes.sign}>
              {emoji}
            </span>
            <span className={classes.name}>{from === me?.id ? t('you') : name}</span>
          </li>
        ))}
    </ul>
  )
}

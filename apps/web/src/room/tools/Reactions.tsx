import { Menu } from '@mantine/core'
import { reactionEmoji } from '@parley/client/join'
import { IconMoodSmile } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'
import { useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import classes from './Reactions.module.css'
import { ToolButton } from './ToolButton.tsx'

/** Send a reaction to all participants. */
export function ReactionMenu({ allowed }: { allowed: boolean }) {
  const { t } = useTranslation(['room', 'call'])
  const label = t('tools.react')
  if (!allowed) {
    return (
      <ToolButton
        captioned
        caption={label}
        label={t('tools.turnedOff', { tool: label })}
        icon={<IconMoodSmile aria-hidden />}
        aria-disabled
        onClick={() => showToast({ message: t('errors.reactions_not_allowed'), about: 'reaction' })}
      />
    )
  }
  return (
    <Menu position="top" withInitialFocusPlaceholder={false} loop={false} closeOnItemClick={false}>
      <Menu.Target>
        <ToolButton captioned label={label} icon={<IconMoodSmile aria-hidden />} />
      </Menu.Target>
      <Menu.Dropdown>
        <ReactionItems />
      </Menu.Dropdown>
    </Menu>
  )
}

export function ReactionItems() {
  const { t } = useTranslation(['room', 'call'])
  const { room } = useVisited()
  const runAction = useAction()
  return (
    <div className={classes.choices}>
      {reactionEmoji.map((emoji) => (
        <Menu.Item
          key={emoji}
          className={classes.choice ?? ''}
          aria-label={t(`call:reactions.${reactionName(emoji)}`)}
          onClick={() => void runAction(() => room.react(emoji), 'reaction')}
        >
          {emoji}
        </Menu.Item>
      ))}
    </div>
  )
}

/**
 * Reactions appear for a few seconds, in one row below the notices, because names are at the bottom of each tile.
 * The newest is first, so that a narrow screen cuts off the oldest.
 */
const maxShown = 8

export function ShownReactions() {
  const { t } = useTranslation(['room', 'call'])
  const { reactions, me } = useSnapshot()
  return (
    <ul className={classes.reactions} aria-label={t('tools.reactions')}>
      {reactions
        .slice(-maxShown)
        .toReversed()
        .map(({ id, from, name, emoji }) => (
          <li key={id} className={classes.reaction}>
            <span role="img" aria-label={t(`call:reactions.${reactionName(emoji)}`)} className={classes.sign}>
              {emoji}
            </span>
            <span className={classes.name}>{from === me?.id ? t('you') : name}</span>
          </li>
        ))}
    </ul>
  )
}

/** A reaction's name for screen readers: a text of `room: reactions.*`. */
const names = {
  '👍': 'yes',
  '👏': 'applause',
  '❤️': 'heart',
  '😂': 'laughter',
  '😮': 'surprise',
  '🎉': 'party',
} as const

type ReactionName = (typeof names)[keyof typeof names]

const reactionName = (emoji: string): ReactionName => names[emoji as keyof typeof names] ?? 'yes'

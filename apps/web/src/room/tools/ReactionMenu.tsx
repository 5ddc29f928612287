import { Menu } from '@mantine/core'
import { reactionEmoji } from '@parley/client/join'
import { IconMoodSmile } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import classes from './ReactionMenu.module.css'
import { reactionName } from './reaction-name.ts'
import { ToolButton } from './ToolButton.tsx'

/** Send a reaction to all participants. */
export function ReactionMenu() {
  const { t } = useTranslation('room')
  return (
    <Menu position="top" withInitialFocusPlaceholder={false} loop={false} closeOnItemClick={false}>
      <Menu.Target>
        <ToolButton captioned label={t('tools.react')} icon={<IconMoodSmile aria-hidden />} />
      </Menu.Target>
      <Menu.Dropdown>
        <ReactionItems />
      </Menu.Dropdown>
    </Menu>
  )
}

export function ReactionItems() {
  const { t } = useTranslation('room')
  const { room } = useVisited()
  const runAction = useAction()
  return (
    <div className={classes.choices}>
      {reactionEmoji.map((emoji) => (
        <Menu.Item
          key={emoji}
          className={classes.choice ?? ''}
          aria-label={t(`reactions.${reactionName(emoji)}`)}
          onClick={() => void runAction(() => room.react(emoji), 'reaction')}
        >
          {emoji}
        </Menu.Item>
      ))}
    </div>
  )
}

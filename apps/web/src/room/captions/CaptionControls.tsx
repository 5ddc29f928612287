import { Menu } from '@mantine/core'
import { IconSubtitles } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ToolButton } from '../tools/ToolButton.tsx'
import type { CaptionTools } from './use-captions.ts'

const iconSize = 20

/** In the menu of less frequent controls, which has no room for more than one item. */
export function CaptionItem({ onPanel }: { onPanel(): void }) {
  const { t } = useTranslation(['room', 'call'])
  return (
    <Menu.Item leftSection={<IconSubtitles size={iconSize} aria-hidden />} onClick={onPanel}>
      {t('call:captions.open')}
    </Menu.Item>
  )
}

/** The captions in the toolbar, where it is wide enough. */
export function CaptionButton({ captions: { choice, toggle } }: { captions: CaptionTools }) {
  const { t } = useTranslation(['room', 'call'])
  return (
    <ToolButton
      captioned
      caption={t('call:captions.title')}
      label={t(choice.showsSpeech ? 'call:captions.hide' : 'call:captions.show')}
      icon={<IconSubtitles aria-hidden />}
      tone={choice.showsSpeech ? 'on' : 'plain'}
      onClick={toggle}
    />
  )
}

import '@mantine/spotlight/styles.css'
import { Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Command } from '../ui/commands.ts'

type CommandPaletteProps = { commands: readonly Command[]; onClose(): void }

export function CommandPalette({ commands, onClose }: CommandPaletteProps) {
  const { t } = useTranslation()
  return (
    <Spotlight
      forceOpened
      onSpotlightClose={onClose}
      shortcut={null}
      nothingFound={t('commands.nothing')}
      title={t('commands.title')}
      searchProps={{
        leftSection: <IconSearch size={20} aria-hidden />,
        placeholder: t('commands.search'),
        'aria-label': t('commands.search'),
      }}
      actions={commands.map(({ id, label, run }) => ({ id, label, onClick: run }))}
    />
  )
}

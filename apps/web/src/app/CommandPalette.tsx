import '@mantine/spotlight/styles.css'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Command } from '../ui/commands.ts'

type CommandPaletteProps = { opened: boolean; commands: readonly Command[]; onClose(): void }

/** Everything that can be done from here. It stays once it was opened, so that the focus goes back to where it was. */
export function CommandPalette({ opened, commands, onClose }: CommandPaletteProps) {
  const { t } = useTranslation()
  useEffect(() => {
    if (opened) spotlight.open()
  }, [opened])
  return (
    <Spotlight
      onSpotlightClose={onClose}
      shortcut={null}
      nothingFound={t('commands.nothing')}
      title={t('commands.title')}
      searchProps={{
        leftSection: <IconSearch size={20} aria-hidden />,
        placeholder: t('commands.search'),
        'aria-label': t('commands.search'),
      }}
      actions={commands.flatMap(({ id, label, run, held }) => (held ? [] : [{ id, label, onClick: run }]))}
    />
  )
}

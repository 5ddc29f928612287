import { Kbd, Switch, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import type { Command } from '../../ui/keyboard/commands.ts'
import { Modal } from '../../ui/Modal.tsx'
import { useSingleKeysSetting } from './single-keys.ts'

type ShortcutsDialogProps = { commands: readonly Command[]; onClose(): void }

/** The keyboard shortcuts of the current page. */
export function ShortcutsDialog({ commands, onClose }: ShortcutsDialogProps) {
  const { t } = useTranslation()
  useReturnFocus()
  const [singleKeys, setSingleKeys] = useSingleKeysSetting()
  const search = { id: 'search-chord', label: t('commands.title'), keys: 'mod+K' }
  const listed = [search, ...commands.filter(({ keys }) => keys !== undefined)]
  return (
    <Modal opened onClose={onClose} title={t('commands.shortcuts')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('commands.shortcut')}</Table.Th>
            <Table.Th>{t('commands.does')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {listed.map(({ id, keys = '', label }) => (
            <Table.Tr key={`${id} ${keys}`}>
              <Table.Td>
                <Kbd>{writeKeys(keys)}</Kbd>
              </Table.Td>
              <Table.Td>{label}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        mt="md"
        label={t('commands.singleKeys')}
        checked={singleKeys}
        onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
      />
    </Modal>
  )
}

/** `mod` is Ctrl, or Cmd on a Mac; `shift+?` names the character on the key. */
export function writeKeys(keys: string): string {
  const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
  return keys.replace('mod', modifier).replace('shift+?', '?').replaceAll('+', ' ')
}

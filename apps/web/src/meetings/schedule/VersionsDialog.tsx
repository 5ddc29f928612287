import { Button, Group, Modal, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeTime } from '../../texts/dates.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { differencesOf } from './draft-words.ts'
import type { TimeZoneCode } from './fields/time-zones.ts'
import type { MeetingDraft } from './meeting-draft.ts'

type VersionsDialogProps = {
  mine: MeetingDraft
  theirs: MeetingDraft
  /** When the other version was saved. */
  changedAt: string
  codes: readonly TimeZoneCode[]
  isBusy: boolean
  onKeepMine(): void
  onTakeTheirs(): void
  onClose(): void
}

/** Another user has changed the meeting: show both versions side by side, and let the reader choose. */
export function VersionsDialog(props: VersionsDialogProps) {
  const { mine, theirs, changedAt, codes, isBusy, onKeepMine, onTakeTheirs, onClose } = props
  const { t, i18n } = useTranslation(['schedule', 'app'])
  useReturnFocus()
  const language = i18n.language
  const differences = differencesOf(mine, theirs, { t, language, codes })
  const time = writeTime(changedAt, { language, timeZone: ownTimeZone() })
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('versions.title')}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <Text mb="md">{t('versions.explanation', { time })}</Text>
      {differences.length === 0 ? (
        <Text mb="md">{t('versions.same')}</Text>
      ) : (
        <Table layout="fixed" mb="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('versions.what')}</Table.Th>
              <Table.Th>{t('versions.mine')}</Table.Th>
              <Table.Th>{t('versions.theirs')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map((difference) => (
              <Table.Tr key={difference.name}>
                <Table.Th scope="row" style={{ overflowWrap: 'anywhere', hyphens: 'auto' }}>
                  {difference.name}
                </Table.Th>
                <Cell text={difference.mine} />
                <Cell text={difference.theirs} />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onTakeTheirs}>
          {t('versions.takeTheirs')}
        </Button>
        <Button onClick={onKeepMine} loading={isBusy}>
          {t('versions.keepMine')}
        </Button>
      </Group>
    </Modal>
  )
}

const Cell = ({ text }: { text: string }) => (
  <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
    <bdi>{text}</bdi>
  </Table.Td>
)

import { Button, Group, Table, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { datesIn, useDates } from '../../texts/dates.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import { joinWords, writeReminder } from './calendar-words.ts'
import { type MeetingDraft, startOf } from './meeting-draft.ts'
import { writeRepeat } from './repeat-sentence.ts'
import { type TimeZoneCode, zoneIdOf } from './time-zones.ts'

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
  const dates = useDates()
  useReturnFocus()
  const language = i18n.language
  const differences = differencesOf(mine, theirs, { t, language, codes })
  const time = dates.time(changedAt)
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

type Words = { t: TFunction<['schedule', 'app']>; language: string; codes: readonly TimeZoneCode[] }

/** One difference between two versions of a meeting, in words. */
type Difference = { name: string; mine: string; theirs: string }

/** The differences between two versions of a meeting, in the order of the form. */
function differencesOf(mine: MeetingDraft, theirs: MeetingDraft, words: Words): Difference[] {
  const own = sayAll(mine, words)
  const other = new Map(sayAll(theirs, words))
  return own.flatMap(([name, text]) => {
    const counterpart = other.get(name) ?? ''
    return text === counterpart ? [] : [{ name, mine: text, theirs: counterpart }]
  })
}

function sayAll(draft: MeetingDraft, { t, language, codes }: Words): [name: string, text: string][] {
  const zoneId = zoneIdOf(draft.timeZone, codes)
  const startsAt = startOf(draft, zoneId)
  const dates = datesIn(language, zoneId)
  const endsAt = startsAt && new Date(startsAt.getTime() + draft.durationMs)
  const people = (addresses: readonly string[]) =>
    addresses.length === 0 ? t('versions.noPeople') : joinWords(addresses.toSorted(), language)
  const options = (Object.keys(draft.options) as (keyof MeetingDraft['options'])[]).toSorted()
  return [
    [t('topic'), draft.topic],
    [t('app:when'), startsAt && endsAt ? `${dates.range(startsAt, endsAt)} (${draft.timeZone})` : ''],
    [t('repeats.label'), writeRepeat(draft.repeat, { t, language }) || t('repeats.ways.none')],
    [t('reminder.label'), writeReminder(draft.reminderMinutes, { t, language })],
    [t('app:participants'), people(draft.participants)],
    [t('app:description'), draft.description === '' ? t('versions.nothing') : draft.description],
    [t('app:location'), draft.location === '' ? t('versions.nothing') : draft.location],
    [t('people.cohosts'), people(draft.cohosts)],
    ...options.map((option): [string, string] => [
      t(`options.${option}`),
      draft.options[option] ? t('app:yes') : t('app:no'),
    ]),
  ]
}

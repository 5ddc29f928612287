import { Button } from '@mantine/core'
import { IconCalendar, IconSearchOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/Rows.tsx'
import { ScheduleButton } from '../MeetingButtons.tsx'

/** Why the list is empty, and what to do about it. */
export function NoMeetings({ filtered, onClear }: { filtered: boolean; onClear(): void }) {
  const { t } = useTranslation(['meetings', 'app'])
  return filtered ? (
    <EmptyState
      icon={<IconSearchOff size={40} />}
      title={t('noMatch')}
      explanation={t('noMatchExplanation')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('app:clearFilters')}
        </Button>
      }
    />
  ) : (
    <EmptyState
      icon={<IconCalendar size={40} />}
      title={t('none')}
      explanation={t('noneExplanation')}
      action={<ScheduleButton />}
    />
  )
}

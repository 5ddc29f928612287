import { Alert, Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MeetingFormState } from './use-meeting-form.ts'

/** Say that unsent input was restored, and offer to start over; nothing for a form without such input. */
export function RestoredDraft({ used: { isRestored, startAnew } }: { used: MeetingFormState }) {
  const { t } = useTranslation('schedule')
  if (!isRestored) return null
  return (
    <Alert color="accent" title={t('restored.title')}>
      <Group justify="space-between">
        {t('restored.explanation')}
        <Button variant="default" size="compact-sm" onClick={startAnew}>
          {t('restored.anew')}
        </Button>
      </Group>
    </Alert>
  )
}

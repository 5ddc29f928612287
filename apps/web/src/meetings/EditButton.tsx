import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** Open the form of a meeting. */
export function EditButton({ meetingId }: { meetingId: string }) {
  const { t } = useTranslation('meeting')
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/meetings/$meetingId/edit" params={{ meetingId }} {...props} />}
    >
      {t('edit')}
    </Button>
  )
}

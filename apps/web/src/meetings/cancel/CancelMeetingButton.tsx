import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CancelMeetingDialogProps } from './CancelMeetingDialog.tsx'

const CancelMeetingDialog = lazy(async () => ({
  default: (await import('./CancelMeetingDialog.tsx')).CancelMeetingDialog,
}))

/** Open the dialog that cancels a meeting. Its code is fetched on use. */
export function CancelMeetingButton(props: Omit<CancelMeetingDialogProps, 'onClose'>) {
  const { t } = useTranslation('schedule')
  const [isOpened, setOpened] = useState(false)
  return (
    <>
      <Button variant="default" c="var(--parley-danger)" onClick={() => setOpened(true)}>
        {t('cancel.open')}
      </Button>
      <Suspense fallback={null}>
        {isOpened && <CancelMeetingDialog {...props} onClose={() => setOpened(false)} />}
      </Suspense>
    </>
  )
}

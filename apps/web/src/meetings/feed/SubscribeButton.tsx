import { Button } from '@mantine/core'
import { IconRss } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'

const FeedDialog = lazy(async () => ({ default: (await import('./FeedDialog.tsx')).FeedDialog }))

/** Open the dialog with the calendar's private address. */
export function SubscribeButton() {
  const { t } = useTranslation('profile')
  const [isOpened, setOpened] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconRss size={18} aria-hidden />} onClick={() => setOpened(true)}>
        {t('feed.open')}
      </Button>
      <Suspense fallback={null}>{isOpened && <FeedDialog onClose={() => setOpened(false)} />}</Suspense>
    </>
  )
}

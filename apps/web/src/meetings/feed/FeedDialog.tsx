import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { FeedFields } from './FeedFields.tsx'

/** While the address is shown, only its own button closes the dialog, because the address is never shown again. */
export function FeedDialog({ onClose }: { onClose(): void }) {
  useReturnFocus()
  const { t } = useTranslation(['profile', 'app'])
  const [url, setUrl] = useState<string>()
  const isShown = url !== undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('profile:feed.title')}
      centered
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
      withCloseButton={!isShown}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <FeedFields url={url} onUrl={setUrl} />
    </Modal>
  )
}

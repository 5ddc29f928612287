import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useBackCloses } from '../ui/hooks/use-back-closes.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { useProductName } from '../ui/product-name.ts'
import { Navigation } from './Navigation.tsx'

/** The sidebar on phones. Its code is fetched when it opens. */
export function NavigationDrawer({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  useReturnFocus()
  useBackCloses(onClose)
  return (
    <Drawer
      opened
      onClose={onClose}
      size="18rem"
      title={useProductName()}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Navigation onNavigate={onClose} />
    </Drawer>
  )
}

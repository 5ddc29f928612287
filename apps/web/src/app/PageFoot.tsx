import { Anchor, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Appearance } from './Appearance.tsx'

/** What stands at the foot of all pages; the documentation is the server's own, and none of the router's pages. */
export function PageFoot() {
  const { t } = useTranslation()
  return (
    <Group justify="space-between" gap={0}>
      <Appearance />
      <Anchor href="/docs" size="sm" underline="always" px="xs" py="xs">
        {t('documentation')}
      </Anchor>
    </Group>
  )
}

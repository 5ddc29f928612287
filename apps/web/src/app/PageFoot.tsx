import { Anchor, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Appearance } from './Appearance.tsx'

/** The foot of all pages. The documentation is served by the server and is not a route. */
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

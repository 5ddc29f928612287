import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The server's own pages for developers and operators: not one of the router's. */
export function DocumentationLink() {
  const { t } = useTranslation()
  return (
    <Text size="sm" mt="sm">
      <Anchor href="/docs" inherit underline="always">
        {t('documentation')}
      </Anchor>
    </Text>
  )
}

import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Page } from '../ui/Page.tsx'

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('notFound.title')} width="narrow">
      <Text mb="lg">{t('notFound.explanation')}</Text>
      <Button component="a" href="/">
        {t('failed.start')}
      </Button>
    </Page>
  )
}

import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { handOver } from './answer-channel.ts'

/** Where the consent page leads back to: it hands the answer over to the playground, and goes. */
export function PlaygroundCallbackPage() {
  const { t } = useTranslation('apps')
  const [query] = useState(() => window.location.search)
  const [taken, setTaken] = useState(false)
  useEffect(() => {
    // The code has no business in the history.
    window.history.replaceState(window.history.state, '', window.location.pathname)
    return handOver(query, () => {
      setTaken(true)
      window.close()
    })
  }, [query])
  return (
    <>
      <PageTitle>{t('callback.title')}</PageTitle>
      <Text role="status" mt="sm">
        {t(taken ? 'callback.taken' : 'callback.waiting')}
      </Text>
    </>
  )
}

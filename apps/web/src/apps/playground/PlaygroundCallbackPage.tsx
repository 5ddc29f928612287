import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/Page.tsx'
import { handOver } from './answer-channel.ts'

/** The redirect URI of the playground: hand the authorization response over to the playground, and close. */
export function PlaygroundCallbackPage() {
  const { t } = useTranslation('apps')
  const [query] = useState(() => window.location.search)
  const [taken, setTaken] = useState(false)
  useEffect(() => {
    // Remove the code from the browser's history.
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

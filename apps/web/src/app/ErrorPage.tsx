import { Button, Group, Text } from '@mantine/core'
import { ProblemError } from '@parley/client'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemWords } from '../session/problem-words.ts'
import { Page } from '../ui/Page.tsx'
import { PublicFrame } from './PublicFrame.tsx'

/** Shown when a page cannot be rendered: the error, and two actions. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const words = useProblemWords()
  // The code could not be fetched: no connection, or a new version was deployed.
  const isOfCode = /dynamically imported module|Importing a module/i.test(String(error))
  const [isOffline] = useState(() => !navigator.onLine)
  useEffect(() => {
    if (!isOffline) return
    const reload = () => window.location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [isOffline])
  if (isOffline) {
    return (
      <Page title={t('failed.offlineTitle')} width="narrow">
        <Text>{t('failed.offline')}</Text>
      </Page>
    )
  }
  const requestId = error instanceof ProblemError ? error.problem.requestId : ''
  return (
    <Page title={t('failed.title')} width="narrow">
      <Text mb="lg">{isOfCode ? t('failed.code') : words(error)}</Text>
      <Group>
        <Button
          onClick={() => {
            if (isOfCode) return window.location.reload()
            reset()
            void router.invalidate()
          }}
        >
          {t('tryAgain')}
        </Button>
        <Button component="a" href="/" variant="default">
          {t('failed.start')}
        </Button>
      </Group>
      {requestId !== '' && (
        <Text c="dimmed" size="sm" mt="lg">
          {t('failed.requestId', { id: requestId })}
        </Text>
      )}
    </Page>
  )
}

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

/** Pages outside of any layout: no route matched, or the layout itself failed. */
export function FramedNotFoundPage() {
  return (
    <PublicFrame>
      <NotFoundPage />
    </PublicFrame>
  )
}

export function FramedErrorPage(props: ErrorComponentProps) {
  return (
    <PublicFrame>
      <ErrorPage {...props} />
    </PublicFrame>
  )
}

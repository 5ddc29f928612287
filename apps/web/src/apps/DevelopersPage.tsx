import { Anchor, Button, Stack, Text } from '@mantine/core'
import { IconExternalLink, IconPlus, IconPuzzle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { showToast } from '../ui/toast.ts'
import { AppList } from './AppList.tsx'
import { accessQuery, appsQuery } from './app-queries.ts'
import { RequestOauthAccess } from './RequestOauthAccess.tsx'

/** The developer's start page: their apps, or how to request access. */
export function DevelopersPage() {
  const { t } = useTranslation(['apps', 'app'])
  const { data: access, error: accessError } = useQuery(accessQuery)
  const isEnabled = access?.status === 'enabled'
  const { data: apps, error: appsError } = useQuery({ ...appsQuery, enabled: isEnabled })
  const error = accessError ?? appsError
  const needsAccess = access !== undefined && !isEnabled
  const before = useRef(access?.status)
  useEffect(() => {
    if (before.current === 'requested' && isEnabled) showToast({ message: t('ask.enabled') })
    before.current = access?.status
  }, [access?.status, isEnabled, t])
  const newApp = (
    <Button component={Link} to="/developers/new" leftSection={<IconPlus size={18} aria-hidden />}>
      {t('list.new')}
    </Button>
  )
  return (
    <Page
      title={t('app:navigation.pages.developers')}
      actions={isEnabled && apps !== undefined && apps.length > 0 ? newApp : undefined}
    >
      <Text c="dimmed" mb="lg">
        {t('list.explanation')}{' '}
        <Anchor href="/docs/oauth" target="_blank" inherit underline="always">
          {t('app:documentation')} <IconExternalLink size={14} aria-hidden />
        </Anchor>
        {' · '}
        <Anchor href="/reference" target="_blank" inherit underline="always">
          {t('list.reference')} <IconExternalLink size={14} aria-hidden />
        </Anchor>
      </Text>
      {needsAccess && <RequestOauthAccess access={access} />}
      <ProblemAlert error={error} />
      {apps === undefined && error === null && !needsAccess && (
        <Stack aria-busy="true">
          <RowSkeletons rows={3} />
        </Stack>
      )}
      {isEnabled && apps?.length === 0 && (
        <EmptyState
          icon={<IconPuzzle size={40} />}
          title={t('list.none')}
          explanation={t('list.noneExplanation')}
          action={newApp}
        />
      )}
      {isEnabled && apps !== undefined && apps.length > 0 && <AppList apps={apps} />}
    </Page>
  )
}

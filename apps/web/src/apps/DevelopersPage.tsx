import { Anchor, Button, Stack, Text } from '@mantine/core'
import { ProblemError } from '@parley/client'
import { IconExternalLink, IconPlus, IconPuzzle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { AppList } from './AppList.tsx'
import { AskForOauth } from './AskForOauth.tsx'
import { appsQuery } from './app-queries.ts'

/** Where a developer arrives: their apps, or how to be allowed to have some. */
export function DevelopersPage() {
  const { t } = useTranslation('apps')
  const { data: apps, error } = useQuery(appsQuery)
  const closed = error instanceof ProblemError && error.problem.code === 'oauth_not_enabled'
  const newApp = (
    <Button component={Link} to="/developers/new" leftSection={<IconPlus size={18} aria-hidden />}>
      {t('list.new')}
    </Button>
  )
  return (
    <Page title={t('list.title')} actions={apps !== undefined && apps.length > 0 ? newApp : undefined}>
      <Text c="dimmed" mb="lg">
        {t('list.explanation')}{' '}
        <Anchor href="/docs/oauth" target="_blank" inherit underline="always">
          {t('list.documentation')} <IconExternalLink size={14} aria-hidden />
        </Anchor>
        {' · '}
        <Anchor href="/reference" target="_blank" inherit underline="always">
          {t('list.reference')} <IconExternalLink size={14} aria-hidden />
        </Anchor>
      </Text>
      {closed ? <AskForOauth /> : <ProblemAlert error={error} />}
      {apps === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={3} />
        </Stack>
      )}
      {apps?.length === 0 && (
        <EmptyState
          icon={<IconPuzzle size={40} />}
          title={t('list.none')}
          explanation={t('list.noneExplanation')}
          action={newApp}
        />
      )}
      {apps !== undefined && apps.length > 0 && <AppList apps={apps} />}
    </Page>
  )
}

import { Stack } from '@mantine/core'
import type { App } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import { AppFacts } from './AppFacts.tsx'
import { AppHistory } from './AppHistory.tsx'
import { DeleteApp } from './DeleteApp.tsx'
import { Findings } from './Findings.tsx'
import { LiveDifferences } from './LiveDifferences.tsx'
import { StatusSummary } from './StatusSummary.tsx'

/** An app's status, fields, history and deletion. */
export function Overview({ app }: { app: App }) {
  const { t } = useTranslation('apps')
  const { liveRevision, draftRevision, checks = [] } = app
  return (
    <Stack gap="lg">
      <StatusSummary app={app} />
      {liveRevision !== null && draftRevision !== undefined && <LiveDifferences app={app} />}
      {checks.length > 0 && <Findings checks={checks} />}
      <Section title={t('facts.title')}>
        <AppFacts app={app} />
      </Section>
      <AppHistory appId={app._id} />
      <DeleteApp app={app} />
    </Stack>
  )
}

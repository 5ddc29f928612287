import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Section } from '../ui/Section.tsx'
import { doneSteps, SetUpSteps, stepCount } from './SetUpSteps.tsx'
import { setUpQuery } from './set-up-queries.ts'

/** The checklist of the administrator, also after it was hidden on other pages. */
export function SetUpPage() {
  const { t } = useTranslation(['administration', 'app'])
  const { data: facts, error } = useQuery(setUpQuery)
  return (
    <Page title={t('app:navigation.pages.setUp')} width="narrow">
      <ProblemAlert error={error} />
      {facts === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={stepCount} />
        </Stack>
      )}
      {facts !== undefined && (
        <Section title={t('setUp.progress', { number: doneSteps(facts), total: stepCount })}>
          <SetUpSteps facts={facts} />
        </Section>
      )}
    </Page>
  )
}

import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scopesQuery } from '../../connected-apps/scope-words.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { showToast } from '../../ui/toast.ts'
import { useSubmitApp } from '../app-mutations.ts'
import { useCasesQuery } from '../app-queries.ts'
import { AppEditor } from './AppEditor.tsx'
import { bodyOfValues, noValues } from './app-values.ts'

/** Register an app: submit it for review, or save it as a draft. */
export function NewAppPage() {
  const { t } = useTranslation('apps')
  const navigate = useNavigate()
  const [initial] = useState(noValues)
  const useCases = useQuery(useCasesQuery)
  const scopes = useQuery(scopesQuery)
  const attempt = useSubmitApp({
    onRefreshed: async (app, { draft }) => {
      showToast({ message: t(draft ? 'form.saved' : 'form.submitted', { name: app.name }) })
      await navigate({ to: '/developers/$appId', params: { appId: app._id } })
    },
  })
  return (
    <Page title={t('list.new')}>
      <Text c="dimmed" mb="lg">
        {t('form.newExplanation')}
      </Text>
      <ProblemAlert error={useCases.error ?? scopes.error} />
      {useCases.data === undefined || scopes.data === undefined ? (
        <PageSkeleton rows={6} />
      ) : (
        <AppEditor
          initial={initial}
          useCases={useCases.data}
          scopes={scopes.data}
          submitLabel={() => t('form.submit')}
          busy={attempt.isPending ? (attempt.variables.draft ? 'draft' : 'submit') : undefined}
          error={attempt.error}
          onSend={(values, draft) => attempt.mutateAsync({ ...bodyOfValues(values), draft })}
        />
      )}
    </Page>
  )
}

import { Text } from '@mantine/core'
import { submitApp } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scopesQuery } from '../../connected-apps/scope-words.ts'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { Page } from '../../ui/Page.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { showToast } from '../../ui/toast.ts'
import { useCasesQuery } from '../app-queries.ts'
import { AppEditor } from './AppEditor.tsx'
import { type AppValues, bodyOfValues, noValues } from './app-values.ts'

/** Register an app: submit it for review, or save it as a draft. */
export function NewAppPage() {
  const { t } = useTranslation('apps')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [initial] = useState(noValues)
  const useCases = useQuery(useCasesQuery)
  const scopes = useQuery(scopesQuery)
  const attempt = useMutation({
    mutationFn: ({ values, draft }: { values: AppValues; draft: boolean }) =>
      client.call(submitApp, { body: { ...bodyOfValues(values), draft } }),
    onSuccess: async (app, { draft }) => {
      await queryClient.invalidateQueries({ queryKey: ['apps'] })
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
          onSend={(values, draft) => attempt.mutateAsync({ values, draft })}
        />
      )}
    </Page>
  )
}

import { List, Text } from '@mantine/core'
import type { App } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scopesQuery } from '../../connected-apps/scope-words.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { Section } from '../../ui/Section.tsx'
import { showToast } from '../../ui/toast.ts'
import { useEditApp } from '../app-mutations.ts'
import { appQuery, liveAppQuery, useCasesQuery } from '../app-queries.ts'
import { AppEditor } from './AppEditor.tsx'
import { type AppValues, bodyOfValues, fieldsOfApp, fieldsOfValues, valuesOf } from './app-values.ts'
import { type PlannedChange, sortChanges } from './change-plan.ts'

/** Edit an app, and show while typing which changes need a review. */
export function EditAppPage() {
  const { t } = useTranslation(['apps', 'app'])
  const { appId } = useParams({ from: '/signed-in/developers/$appId/edit' })
  const navigate = useNavigate()
  const app = useQuery(appQuery(appId))
  const isLive = app.data !== undefined && app.data.liveRevision !== null
  const live = useQuery({ ...liveAppQuery(appId), enabled: isLive })
  const useCases = useQuery(useCasesQuery)
  const scopes = useQuery(scopesQuery)
  // Edit the revision that was read first: a refetch must not overwrite typed input.
  const [initial, setInitial] = useState<AppValues>()
  if (initial === undefined && app.data !== undefined) setInitial(valuesOf(app.data))

  const attempt = useEditApp(appId, {
    onRefreshed: async ({ name, status, draftStatus = status }, { draft }) => {
      const saved = draft || draftStatus !== 'under_review'
      showToast({ message: t(saved ? 'form.saved' : 'form.submitted', { name }) })
      await navigate({ to: '/developers/$appId', params: { appId } })
    },
  })
  const ready = initial && useCases.data && scopes.data && (!isLive || live.data)
  return (
    <Page title={app.data === undefined ? t('form.editTitle') : t('form.editTitleOf', { name: app.data.name })}>
      <ProblemAlert error={app.error ?? live.error ?? useCases.error ?? scopes.error} />
      {ready ? (
        <AppEditor
          initial={initial}
          useCases={useCases.data}
          scopes={scopes.data}
          liveName={live.data?.name}
          // Of a submission that was taken back the service knows; it refuses the change at the field.
          typeIsFixed={app.data !== undefined && (app.data.status !== 'draft' || isLive)}
          submitLabel={(values) => t(submitText(live.data, values))}
          asksAnswer={app.data !== undefined && app.data.reasons.length > 0}
          busy={attempt.isPending ? (attempt.variables.draft ? 'draft' : 'submit') : undefined}
          error={attempt.error}
          onSend={(values, draft) => attempt.mutateAsync(bodyOf(values, draft))}
        >
          {(values) => live.data && <ChangePlan live={live.data} values={values} />}
        </AppEditor>
      ) : (
        app.error === null && <PageSkeleton rows={6} />
      )}
    </Page>
  )
}

/** Of a live app, only changes that need a review are submitted. */
function submitText(live: App | undefined, values: AppValues) {
  if (live === undefined) return 'form.submit'
  const { waiting } = sortChanges(fieldsOfApp(live), fieldsOfValues(values))
  return waiting.length > 0 ? 'form.saveAndSubmit' : 'app:saveChanges'
}

const bodyOf = (values: AppValues, draft: boolean) => ({
  ...bodyOfValues(values),
  draft,
  ...(!draft && values.answer.trim() !== '' && { answer: values.answer.trim() }),
})

/** For a live app: which changes need a review, and which take effect when saved. */
function ChangePlan({ live, values }: { live: App; values: AppValues }) {
  const { t } = useTranslation('apps')
  const { waiting, atOnce } = sortChanges(fieldsOfApp(live), fieldsOfValues(values))
  const none = waiting.length === 0 && atOnce.length === 0
  return (
    <Section title={t('plan.title')}>
      <div role="status">
        {none && <Text size="sm">{t('plan.none')}</Text>}
        {waiting.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              {t('plan.waiting')}
            </Text>
            <Changes changes={waiting} />
            <Text size="sm" c="dimmed" mb="sm">
              {t('plan.waitingExplanation')}
            </Text>
          </>
        )}
        {atOnce.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              {t('plan.atOnce')}
            </Text>
            <Changes changes={atOnce} />
          </>
        )}
      </div>
    </Section>
  )
}

function Changes({ changes }: { changes: readonly PlannedChange[] }) {
  const { t } = useTranslation('apps')
  return (
    <List size="sm" mb="xs">
      {changes.map(({ field, kind, item = '' }) => (
        <List.Item key={`${field} ${kind} ${item}`}>
          {t(`plan.${kind}`, { field: t(`field.${field}`), item })}
        </List.Item>
      ))}
    </List>
  )
}

import { Button, Group, List, Text } from '@mantine/core'
import type { App } from '@parley/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { usePerson } from '../session/session.ts'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import { AppStatus } from './AppStatus.tsx'
import { useResubmitApp } from './app-mutations.ts'
import { fieldWords } from './app-words.ts'
import { AnswerField } from './form/AnswerField.tsx'

/** The statuses from which an app can be submitted unchanged. */
const submittable: readonly App['status'][] = ['draft', 'rejected', 'on_hold']

/** The app's status, its reason, and the next step. */
export function StatusSummary({ app }: { app: App }) {
  const { t } = useTranslation('apps')
  const { _id: appId, status, draftStatus, name, reasons } = app
  const currentStatus = draftStatus ?? status
  const [answer, setAnswer] = useState('')
  const person = usePerson()
  const ownName = `${person.name} ${person.lname}`.trim()
  // Users see the approved name until another one is approved.
  const isRenamed = currentStatus === 'approved' && app.shownOwner.name !== ownName
  const submission = useResubmitApp(appId, {
    onSaved: () => setAnswer(''),
    onRefreshed: () => showToast({ message: t('form.submitted', { name }) }),
  })
  return (
    <Section title={t('statusSummary.title')} actions={<AppStatus app={app} />}>
      <ProblemAlert error={submission.error} />
      <Text>
        {draftStatus === undefined
          ? t(`statusSummary.${status}`)
          : t(`statusSummary.change.${draftStatus}` as 'statusSummary.change.under_review')}
      </Text>
      {reasons.length > 0 && (
        <>
          <Text fw={600} mt="sm">
            {t('statusSummary.reasons')}
          </Text>
          <List>
            {reasons.map(({ code, field = '', text = '' }) => (
              <List.Item key={`${code} ${field} ${text}`}>
                {t(`reasons.${code}`)}
                {field !== '' && ` (${fieldWords(field, t)})`}
                {text !== '' && `: ${text}`}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {isRenamed && <Text mt="sm">{t('statusSummary.otherOwner', { shown: app.shownOwner.name, now: ownName })}</Text>}
      {submittable.includes(currentStatus) && reasons.length > 0 && <AnswerField value={answer} onChange={setAnswer} />}
      {(submittable.includes(currentStatus) || isRenamed) && (
        <Group mt="md">
          <Button
            loading={submission.isPending}
            onClick={() => submission.mutate(answer.trim() === '' ? {} : { answer: answer.trim() })}
          >
            {t(currentStatus === 'draft' || isRenamed ? 'form.submit' : 'statusSummary.submitAgain')}
          </Button>
        </Group>
      )}
    </Section>
  )
}

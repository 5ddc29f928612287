import { Button, Text } from '@mantine/core'
import { resumeApp } from '@parley/contract'
import { IconPuzzle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReviewMark } from '../../reviews/ReviewMark.tsx'
import { reviewsKey } from '../../reviews/review-queries.ts'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Row } from '../../ui/Rows.tsx'
import { showToast } from '../../ui/toast.ts'
import { accountName } from '../account-name.ts'
import type { ListedApp } from './app-list-query.ts'
import { SuspendDialog } from './SuspendDialog.tsx'

/** One app, and the switch that stops it or lets it go on. */
export function AppRow({ app }: { app: ListedApp }) {
  const { t } = useTranslation('administration')
  const [asked, setAsked] = useState(false)
  const suspended = app.status === 'suspended'
  const deed = suspended ? 'resume' : 'suspend'
  const close = () => setAsked(false)
  return (
    <>
      <Row
        icon={<IconPuzzle size={20} />}
        name={app.name}
        marks={<ReviewMark status={app.status} />}
        details={[t('apps.by', { name: accountName(app.owner), email: app.owner.email })]}
        actions={
          <Button
            variant="default"
            size="xs"
            aria-label={t(`apps.${deed}Named`, { name: app.name })}
            onClick={() => setAsked(true)}
          >
            {t(`apps.${deed}`)}
          </Button>
        }
      />
      {asked && (suspended ? <ResumeDialog app={app} onClose={close} /> : <SuspendDialog app={app} onClose={close} />)}
    </>
  )
}

function ResumeDialog({ app: { appId, name }, onClose }: { app: ListedApp; onClose(): void }) {
  const { t } = useTranslation('administration')
  const queryClient = useQueryClient()
  const resume = useMutation({
    mutationFn: () => client.call(resumeApp, { params: { appId } }),
    onSuccess: async () => {
      showToast({ message: t('apps.resumed', { name }) })
      await queryClient.invalidateQueries({ queryKey: reviewsKey })
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('apps.askResume', { name })}
      confirm={t('apps.resume')}
      busy={resume.isPending}
      onConfirm={() => resume.mutate()}
      onClose={onClose}
    >
      <ProblemAlert error={resume.error} />
      <Text>{t('apps.resumeExplanation')}</Text>
    </ConfirmDialog>
  )
}

import { Button, Text } from '@mantine/core'
import { resumeApp } from '@parley/contract'
import { IconPuzzle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReviewMark } from '../../reviews/ReviewMark.tsx'
import { reviewsKey } from '../../reviews/review-queries.ts'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Mark } from '../../ui/Mark.tsx'
import { Row } from '../../ui/Rows.tsx'
import { showToast } from '../../ui/toast.ts'
import type { ListedApp } from './app-list-query.ts'
import { SuspendDialog } from './SuspendDialog.tsx'
import { useOwnerText } from './use-owner-text.ts'

/** One app by its public name: its status, a link to its details, and the suspend switch. */
export function AppRow({ app }: { app: ListedApp }) {
  const { t } = useTranslation('administration')
  const ownerOf = useOwnerText()
  const { name, draftName, connectedPeople } = app
  return (
    <Row
      icon={<IconPuzzle size={20} />}
      name={name}
      marks={<AppMarks app={app} />}
      details={[
        ...(draftName === null ? [] : [t('apps.draftName', { name: draftName })]),
        ownerOf(app),
        t('apps.connected', { number: connectedPeople }),
      ]}
      actions={
        <>
          <Button
            variant="default"
            size="xs"
            aria-label={t('apps.detailsNamed', { name })}
            renderRoot={(props) => <Link to="/administration/apps/$appId" params={{ appId: app._id }} {...props} />}
          >
            {t('details')}
          </Button>
          <AppSwitch app={app} />
        </>
      }
    />
  )
}

/** The live status and the status of a pending revision. */
export function AppMarks({ app: { isLive, status } }: { app: ListedApp }) {
  const { t } = useTranslation('apps')
  return (
    <>
      {isLive && <Mark tone="good">{t('live')}</Mark>}
      {!(isLive && status === 'approved') && <ReviewMark status={status} />}
    </>
  )
}

/** Suspend or resume an app. */
export function AppSwitch({ app }: { app: ListedApp }) {
  const { t } = useTranslation('administration')
  const [isConfirming, setConfirming] = useState(false)
  const suspended = app.status === 'suspended'
  const step = suspended ? 'resume' : 'suspend'
  const close = () => setConfirming(false)
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t(`apps.${step}Named`, { name: app.name })}
        onClick={() => setConfirming(true)}
      >
        {t(`apps.${step}`)}
      </Button>
      {isConfirming &&
        (suspended ? <ResumeDialog app={app} onClose={close} /> : <SuspendDialog app={app} onClose={close} />)}
    </>
  )
}

function ResumeDialog({ app: { _id: appId, name }, onClose }: { app: ListedApp; onClose(): void }) {
  const { t } = useTranslation('administration')
  useReturnFocus()
  const queryClient = useQueryClient()
  const resume = useMutation({
    mutationFn: () => client.call(resumeApp, { params: { appId } }),
    onSuccess: async () => {
      showToast({ message: t('apps.resumed', { name }) })
      await queryClient.invalidateQueries({ queryKey: reviewsKey })
      onClose()
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

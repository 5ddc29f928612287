import { Button, Group, Menu, NativeSelect, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReasonCode, reasonCodes } from '@parley/contract'
import { maxReasonTextLength } from '@parley/rules/oauth-apps/app-review'
import { IconPuzzle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReviewMark } from '../reviews/ReviewMark.tsx'
import { useClientName } from '../reviews/review-queries.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail } from '../session/session.ts'
import { useDates } from '../texts/dates.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { hiddenBefore, MainCell, mainLinkClass, QuietCell, TableMenu } from '../ui/DataTable.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { Mark } from '../ui/Mark.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showToast } from '../ui/toast.ts'
import { accountName } from './account-queries.ts'
import { type ListedApp, useResumeApp, useSuspendApp } from './administered-app-queries.ts'

/** One app by its public name: its status, a link to its details, and a menu that suspends or resumes it. */
export function AppRow({ app }: { app: ListedApp }) {
  const { t } = useTranslation('administration')
  const ownerOf = useOwnerText()
  const { step, open, dialog } = useAppSwitch(app)
  const { shortDate } = useDates()
  const { _id: appId, name, draftName, connectedPeople, modifiedOn } = app
  return (
    <tr>
      <MainCell
        picture={<IconPuzzle size={20} />}
        name={
          <Link to="/administration/apps/$appId" params={{ appId }} className={mainLinkClass}>
            {name}
          </Link>
        }
        marks={
          draftName !== null && (
            <Text span size="sm" c="dimmed">
              {t('apps.draftName', { name: draftName })}
            </Text>
          )
        }
        below={
          <>
            <Group gap="xs" justify="flex-start">
              <AppMarks app={app} />
            </Group>
            <bdi>{ownerOf(app)}</bdi> · {t('apps.connected', { number: connectedPeople })}
          </>
        }
      />
      <td {...hiddenBefore('tablet')}>
        <Group gap="xs" justify="flex-start">
          <AppMarks app={app} />
        </Group>
      </td>
      <QuietCell from="desktop" whole={ownerOf(app)}>
        <bdi>{ownerOf(app)}</bdi>
      </QuietCell>
      <td {...hiddenBefore('desktop')} data-numeric>
        {connectedPeople}
      </td>
      <QuietCell from="tablet">
        <time dateTime={modifiedOn}>{shortDate(modifiedOn)}</time>
      </QuietCell>
      <td data-menu>
        <TableMenu label={t('accounts.changeNamed', { name })}>
          <Menu.Item {...(step === 'suspend' && { color: 'red' })} onClick={open}>
            {t(`apps.${step}`)}
          </Menu.Item>
        </TableMenu>
        {dialog}
      </td>
    </tr>
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

/** The step that an app's status allows, and its dialog. */
function useAppSwitch(app: ListedApp) {
  const [isConfirming, setConfirming] = useState(false)
  const suspended = app.status === 'suspended'
  const Dialog = suspended ? ResumeDialog : SuspendDialog
  return {
    step: suspended ? ('resume' as const) : ('suspend' as const),
    open: () => setConfirming(true),
    dialog: isConfirming && <Dialog app={app} onClose={() => setConfirming(false)} />,
  }
}

/** Suspend or resume an app. */
export function AppSwitch({ app }: { app: ListedApp }) {
  const { t } = useTranslation('administration')
  const { step, open, dialog } = useAppSwitch(app)
  return (
    <>
      <Button variant="default" size="xs" aria-label={t(`apps.${step}Named`, { name: app.name })} onClick={open}>
        {t(`apps.${step}`)}
      </Button>
      {dialog}
    </>
  )
}

function ResumeDialog({ app: { _id: appId, name }, onClose }: { app: ListedApp; onClose(): void }) {
  const { t } = useTranslation('administration')
  useReturnFocus()
  const resume = useResumeApp(appId, {
    onSaved: () => showToast({ message: t('apps.resumed', { name }) }),
    onRefreshed: onClose,
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

/** Say who an app belongs to: its developer, or the host of an assistant's document. */
export function useOwnerText(): (app: Pick<ListedApp, 'owner' | 'clientHost'>) => string {
  const { t } = useTranslation('administration')
  const clientName = useClientName()
  return (app) =>
    app.owner === undefined
      ? clientName(app.clientHost)
      : t('apps.by', { name: accountName(app.owner), email: app.owner.email })
}

type SuspendDialogProps = { app: ListedApp; onClose(): void }

/** Suspend an app. The developer reads the reason, if there is one. */
function SuspendDialog({ app: { _id: appId, name, registration }, onClose }: SuspendDialogProps) {
  const { t } = useTranslation(['administration', 'reviews', 'apps', 'app', 'violations'])
  const { mail } = useMail()
  useReturnFocus()
  const fieldErrors = useFieldErrors()
  const hasDeveloper = registration === 'portal'
  const form = useForm({
    initialValues: { code: '' as ReasonCode | '', text: '' },
    validate: {
      code: (code) => (code === '' ? t('violations:required') : null),
      text: (text, { code }) => (code === 'other' && text.trim() === '' ? t('violations:required') : null),
    },
  })
  const suspend = useSuspendApp(appId, {
    onSaved: () => showToast({ message: t('administration:apps.stopped', { name }) }),
    onRefreshed: onClose,
    onError: (error) => {
      const { 'reasons.0.text': text } = fieldErrors(error)
      if (text === undefined) return
      form.setErrors({ text })
      focusFirstInvalid()
    },
  })
  const send = ({ code, text }: typeof form.values) =>
    suspend.mutate({ reasons: code === '' ? [] : [{ code, ...(text.trim() !== '' && { text: text.trim() }) }] })
  return (
    <Modal
      opened
      title={t('administration:apps.askSuspend', { name })}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <form noValidate onSubmit={form.onSubmit(send, focusFirstInvalid)}>
        <ProblemAlert error={suspend.error} />
        <Text mb="md">
          {hasDeveloper
            ? t(`administration:apps.suspendExplanation.${mail}`)
            : t('administration:apps.suspendClientExplanation')}
        </Text>
        <NativeSelect
          label={t('administration:apps.reason')}
          required
          mb="sm"
          data-autofocus
          data={[
            { value: '', label: t('apps:form.choose') },
            ...reasonCodes.map((value) => ({ value, label: t(`apps:reasons.${value}`) })),
          ]}
          {...form.getInputProps('code')}
        />
        <Textarea
          label={t(hasDeveloper ? 'reviews:reasons.text' : 'reviews:client.reasonText')}
          rows={3}
          maxLength={maxReasonTextLength}
          {...form.getInputProps('text')}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" color="red" loading={suspend.isPending}>
            {t('administration:apps.suspend')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

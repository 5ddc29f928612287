import { Button, Group, Modal, NativeSelect, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReasonCode, reasonCodes, suspendApp } from '@parley/contract'
import { maxReasonTextLength } from '@parley/rules/oauth-apps/app-review'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { reviewsKey } from '../../reviews/review-queries.ts'
import { client } from '../../session/client.ts'
import { useFieldErrors } from '../../session/field-errors.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useMail } from '../../session/session.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../../ui/keyboard/focus-first-invalid.ts'
import { showToast } from '../../ui/toast.ts'
import type { ListedApp } from './app-list-query.ts'

type SuspendDialogProps = { app: ListedApp; onClose(): void }

/** Suspend an app. The developer reads the reason, if there is one. */
export function SuspendDialog({ app: { _id: appId, name, registration }, onClose }: SuspendDialogProps) {
  const { t } = useTranslation(['administration', 'reviews', 'apps', 'app', 'violations'])
  const { mail } = useMail()
  useReturnFocus()
  const queryClient = useQueryClient()
  const fieldErrors = useFieldErrors()
  const hasDeveloper = registration === 'portal'
  const form = useForm({
    initialValues: { code: '' as ReasonCode | '', text: '' },
    validate: {
      code: (code) => (code === '' ? t('violations:required') : null),
      text: (text, { code }) => (code === 'other' && text.trim() === '' ? t('violations:required') : null),
    },
  })
  const suspend = useMutation({
    mutationFn: ({ code, text }: typeof form.values) =>
      client.call(suspendApp, {
        params: { appId },
        body: { reasons: code === '' ? [] : [{ code, ...(text.trim() !== '' && { text: text.trim() }) }] },
      }),
    onSuccess: async () => {
      showToast({ message: t('administration:apps.stopped', { name }) })
      await queryClient.invalidateQueries({ queryKey: reviewsKey })
      onClose()
    },
    onError: (error) => {
      const { 'reasons.0.text': text } = fieldErrors(error)
      if (text === undefined) return
      form.setErrors({ text })
      focusFirstInvalid()
    },
  })
  return (
    <Modal
      opened
      title={t('administration:apps.askSuspend', { name })}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <form noValidate onSubmit={form.onSubmit((values) => suspend.mutate(values), focusFirstInvalid)}>
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

import { Button, Group, Modal, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { ReasonFields } from './ReasonFields.tsx'
import type { Review } from './review-queries.ts'
import { type DraftReason, suggestedReasons } from './suggested-reasons.ts'
import { isOvertaken, type useDecision } from './use-decision.ts'

type RefuseDialogProps = {
  review: Review
  decision: 'rejected' | 'on_hold'
  mutation: ReturnType<typeof useDecision>
  onClose(): void
}

const singleFields = ['name', 'description', 'useCase', 'homepageUrl', 'policyUrl', 'logoUrl', 'scopes'] as const

/** Reject or hold a revision, with reasons for the developer. */
export function RefuseDialog({
  review: { app, registration, checks },
  decision,
  mutation,
  onClose,
}: RefuseDialogProps) {
  const { t } = useTranslation(['reviews', 'app', 'violations'])
  useReturnFocus()
  const fieldErrors = useFieldErrors()
  const form = useForm<{ reasons: DraftReason[] }>({
    initialValues: { reasons: suggestedReasons(checks) },
    validate: {
      reasons: {
        code: (code) => (code === '' ? t('violations:required') : null),
        text: (text, { reasons }, path) =>
          reasons[Number(path.split('.')[1])]?.code === 'other' && text.trim() === '' ? t('violations:required') : null,
      },
    },
  })
  const decide = ({ reasons }: { reasons: DraftReason[] }) =>
    mutation.mutate(
      { decision, reasons },
      {
        onError: (error) => {
          form.setErrors(fieldErrors(error))
          focusFirstInvalid()
        },
      },
    )
  const fields = [...singleFields, ...app.callbackUrls.map((_url, index) => `callbackUrls/${index}`)]
  const ofClient = app.liveRevision === null ? (`${decision}Explanation` as const) : 'changeRefusedExplanation'
  const explanation =
    registration === 'portal'
      ? (`reviews:ask.${decision}Explanation` as const)
      : (`reviews:client.${ofClient}` as const)
  return (
    <Modal
      opened
      size="lg"
      title={t(`reviews:ask.${decision}`, { name: app.name })}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <form noValidate onSubmit={form.onSubmit(decide, focusFirstInvalid)}>
        <ProblemAlert error={isOvertaken(mutation.error) ? null : mutation.error} />
        <Text mb="md">{t(explanation)}</Text>
        <ReasonFields form={form} fields={fields} hasDeveloper={registration === 'portal'} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" color={decision === 'rejected' ? 'red' : 'accent'} loading={mutation.isPending}>
            {t(`reviews:decide.${decision}`)}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

import { Button, Fieldset, Group, Kbd, NativeSelect, Text, Textarea } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { type AppStatus, type Decision, reasonCodes } from '@parley/contract'
import { maxReasons, maxReasonTextLength, stateAfter } from '@parley/rules/oauth-apps/app-review'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldWords } from '../apps/app-words.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail } from '../session/session.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { type Command, useCommands } from '../ui/keyboard/commands.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { Modal } from '../ui/Modal.tsx'
import classes from './Review.module.css'
import { isOvertaken, useDecision } from './review-mutations.ts'
import { type Review, reviewStatusOf } from './review-queries.ts'
import { type DraftReason, emptyReason, suggestedReasons } from './suggested-reasons.ts'

const decisions = [
  { decision: 'approved', step: 'approve', keys: 'a', color: 'accent' },
  { decision: 'rejected', step: 'reject', keys: 'r', color: 'red' },
  { decision: 'on_hold', step: 'hold', keys: 'h', color: 'gray' },
] as const

/** The decisions that the app's status allows, by button and by key; each asks for confirmation. */
const decisionsFrom = (status: AppStatus) => decisions.filter(({ step }) => stateAfter(status, step) !== undefined)

type DecisionBarProps = { review: Review; onOvertaken(error: unknown): void }

export function DecisionBar({ review, onOvertaken }: DecisionBarProps) {
  const { t } = useTranslation('reviews')
  const { mail } = useMail()
  const { app, registration, clientHost, checks, revision, mayDecide } = review
  const status = reviewStatusOf(review)
  const [pendingDecision, setPendingDecision] = useState<Decision>()
  const close = () => setPendingDecision(undefined)
  const mutation = useDecision(review, close)
  const { reset, error } = mutation
  useEffect(() => {
    if (isOvertaken(error)) onOvertaken(error)
  }, [error, onOvertaken])

  const commands = useMemo((): readonly Command[] => {
    const ask = (decision: Decision) => {
      reset()
      setPendingDecision(decision)
    }
    if (!mayDecide) return []
    return decisionsFrom(status).map(({ decision, keys }) => ({
      id: decision,
      label: t(`decide.${decision}`),
      keys,
      run: () => ask(decision),
    }))
  }, [t, status, mayDecide, reset])
  useCommands(commands)

  if (commands.length === 0) return null
  const failed = checks.filter(({ result }) => result === 'failed').length
  return (
    <section className={classes.bar} aria-label={t('decide.title')}>
      {decisionsFrom(status).map(({ decision, keys, color }) => (
        <Button
          key={decision}
          color={color}
          variant={decision === 'approved' ? 'filled' : 'outline'}
          rightSection={<Kbd className={classes.keys}>{keys}</Kbd>}
          onClick={() => commands.find(({ id }) => id === decision)?.run()}
        >
          {t(`decide.${decision}`)}
        </Button>
      ))}
      <ConfirmDialog
        opened={pendingDecision === 'approved'}
        title={t('ask.approved', { name: app.name })}
        confirm={t('decide.approved')}
        busy={mutation.isPending}
        onConfirm={() => mutation.mutate({ decision: 'approved', reasons: [] })}
        onClose={close}
      >
        <ProblemAlert error={isOvertaken(error) ? null : error} />
        <Text>
          {registration === 'portal'
            ? t(`ask.approvedExplanation.${mail}`, { revision })
            : t('client.approvedExplanation', { revision, host: clientHost ?? app.name })}
        </Text>
        {failed > 0 && (
          <Text mt="sm" c="var(--parley-danger)">
            {t('ask.failedChecks', { number: failed })}
          </Text>
        )}
      </ConfirmDialog>
      {(pendingDecision === 'rejected' || pendingDecision === 'on_hold') && (
        <RefuseDialog
          key={pendingDecision}
          review={review}
          decision={pendingDecision}
          mutation={mutation}
          onClose={close}
        />
      )}
    </section>
  )
}

type RefuseDialogProps = {
  review: Review
  decision: 'rejected' | 'on_hold'
  mutation: ReturnType<typeof useDecision>
  onClose(): void
}

const singleFields = ['name', 'description', 'useCase', 'homepageUrl', 'policyUrl', 'logoUrl', 'scopes'] as const

/** Reject or hold a revision, with reasons for the developer. */
function RefuseDialog({ review: { app, registration, checks }, decision, mutation, onClose }: RefuseDialogProps) {
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
  const fields = [
    ...singleFields,
    ...(['callbackUrls', 'embedOrigins'] as const).flatMap((field) =>
      app[field].map((_, index) => `${field}/${index}`),
    ),
  ]
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

type ReasonsForm = UseFormReturnType<{ reasons: DraftReason[] }>

type ReasonFieldsProps = {
  form: ReasonsForm
  fields: readonly string[]
  /** Of an app that was registered in the portal. */
  hasDeveloper: boolean
}

/** The reasons of a rejection: each has a code, the field concerned, and a text for the developer or the history. */
function ReasonFields({ form, fields, hasDeveloper }: ReasonFieldsProps) {
  const { t } = useTranslation(['reviews', 'apps'])
  const { t: appWords } = useTranslation('apps')
  const { reasons } = form.values
  return (
    <>
      {reasons.map(({ field }, index) => (
        <Fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: reasons have no id, and their fields are controlled
          key={index}
          legend={t('reviews:reasons.one', { number: index + 1 })}
          mb="md"
        >
          <NativeSelect
            label={t('reviews:reasons.code')}
            required
            mb="sm"
            {...(index === 0 && { 'data-autofocus': true })}
            data={[
              { value: '', label: t('apps:form.choose') },
              ...reasonCodes.map((value) => ({ value, label: t(`apps:reasons.${value}`) })),
            ]}
            {...form.getInputProps(`reasons.${index}.code`)}
          />
          <NativeSelect
            label={t('apps:where')}
            mb="sm"
            data={[
              { value: '', label: t('reviews:reasons.whole') },
              ...[...new Set([...fields, field])]
                .filter((value) => value !== '')
                .map((value) => ({ value, label: fieldWords(value, appWords) })),
            ]}
            {...form.getInputProps(`reasons.${index}.field`)}
          />
          <Textarea
            label={t(hasDeveloper ? 'reviews:reasons.text' : 'reviews:client.reasonText')}
            description={t('reviews:reasons.textHint')}
            rows={3}
            maxLength={maxReasonTextLength}
            {...form.getInputProps(`reasons.${index}.text`)}
          />
          {reasons.length > 1 && (
            <Group justify="flex-end" mt="sm">
              <Button
                variant="subtle"
                color="red"
                size="xs"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => form.removeListItem('reasons', index)}
              >
                {t('reviews:reasons.remove', { number: index + 1 })}
              </Button>
            </Group>
          )}
        </Fieldset>
      ))}
      {reasons.length < maxReasons && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => form.insertListItem('reasons', { ...emptyReason })}
        >
          {t('reviews:reasons.add')}
        </Button>
      )}
    </>
  )
}

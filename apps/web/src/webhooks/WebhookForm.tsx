import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { maxWebhookDescriptionLength, maxWebhookUrlLength, webhookPayloads } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { TypeChoice } from './TypeChoice.tsx'
import type { WebhookValues } from './webhook-values.ts'

type WebhookFormProps = {
  initialValues: WebhookValues
  /** The label of the submit button. */
  submit: string
  error: unknown
  busy: boolean
  /** Whether the address may be that of a program on the service's own machine, without encryption. */
  allowsHttp: boolean
  onSubmit(values: WebhookValues, onError: (error: unknown) => void): void
  onCancel(): void
}

/** The address of a webhook, its types and its payload. */
export function WebhookForm({ initialValues, submit, error, busy, allowsHttp, onSubmit, onCancel }: WebhookFormProps) {
  const { t } = useTranslation(['webhooks', 'app', 'violations'])
  const fieldErrors = useFieldErrors()
  const form = useForm<WebhookValues>({
    initialValues,
    validate: {
      url: (url) => (url.trim() === '' ? t('violations:required') : null),
      types: (types, { extent }) => (extent === 'some' && types.length === 0 ? t('form.noType') : null),
    },
  })
  const showErrors = (failure: unknown) => {
    form.setErrors(byField(fieldErrors(failure)))
    focusFirstInvalid()
  }
  const { values } = form
  return (
    <form noValidate onSubmit={form.onSubmit((written) => onSubmit(written, showErrors), focusFirstInvalid)}>
      <ProblemAlert error={error} />
      <Stack gap="md">
        <TextInput
          type="url"
          label={t('form.url')}
          description={t(allowsHttp ? 'form.urlHintLocal' : 'form.urlHint')}
          placeholder="https://planner.example.com/parley"
          dir="ltr"
          required
          data-autofocus
          maxLength={maxWebhookUrlLength}
          {...form.getInputProps('url')}
        />
        <TextInput
          label={t('app:description')}
          description={t('form.descriptionHint')}
          maxLength={maxWebhookDescriptionLength}
          {...form.getInputProps('description')}
        />
        <TypeChoice
          extent={values.extent}
          types={values.types}
          error={form.errors.types}
          onChange={(changes) => {
            form.setValues(changes)
            form.clearFieldError('types')
          }}
        />
        <Radio.Group label={t('form.payload')} {...form.getInputProps('payload')}>
          <Stack gap="sm" mt="xs">
            {webhookPayloads.map((payload) => (
              <Radio
                key={payload}
                value={payload}
                label={t(`payload.${payload}`)}
                description={t(`payloadExplanation.${payload}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
      </Stack>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel}>
          {t('app:cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {submit}
        </Button>
      </Group>
    </form>
  )
}

/** The violation of a single type is shown at the field of all types. */
function byField(errors: Record<string, string>): Record<string, string> {
  const entries = Object.entries(errors).map(([field, text]) => [field.startsWith('types.') ? 'types' : field, text])
  return Object.fromEntries(entries)
}

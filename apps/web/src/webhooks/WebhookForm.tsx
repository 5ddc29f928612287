import { Button, Checkbox, Code, Group, Input, Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  type EventType,
  eventTypeNames,
  maxWebhookDescriptionLength,
  maxWebhookUrlLength,
  type WebhookPayload,
  webhookPayloads,
} from '@parley/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { groupTypes, isSelectable, typeKey } from './type-groups.ts'
import classes from './Webhooks.module.css'

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

type TypeChoiceProps = {
  extent: WebhookValues['extent']
  types: readonly EventType[]
  error: ReactNode
  onChange(changes: Partial<WebhookValues>): void
}

const groups = groupTypes(eventTypeNames.filter(isSelectable))
const extents = ['all', 'some'] as const

/** Choose all types of events, or some of them. */
function TypeChoice({ extent, types, error, onChange }: TypeChoiceProps) {
  const { t } = useTranslation('webhooks')
  return (
    <div>
      <Radio.Group
        label={t('form.types')}
        value={extent}
        onChange={(chosen) => onChange({ extent: extents.find((one) => one === chosen) ?? 'all' })}
      >
        <Stack gap="sm" mt="xs">
          {extents.map((one) => (
            <Radio key={one} value={one} label={t(`extent.${one}`)} description={t(`extentExplanation.${one}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {extent === 'some' && (
        <Checkbox.Group
          aria-label={t('form.chosenTypes')}
          mt="md"
          value={[...types]}
          onChange={(chosen) => onChange({ types: eventTypeNames.filter((type) => chosen.includes(type)) })}
        >
          <Stack gap="md" ms="xl">
            {groups.map((group) => (
              <fieldset key={group.noun} className={classes.group}>
                <legend>{t(`nouns.${group.noun}`)}</legend>
                <Stack gap="sm" mt="xs">
                  {group.types.map((type) => (
                    <Checkbox
                      key={type}
                      value={type}
                      label={t(`types.${typeKey(type)}`)}
                      description={<Code dir="ltr">{type}</Code>}
                      {...(error != null && { 'aria-invalid': true })}
                    />
                  ))}
                </Stack>
              </fieldset>
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {error != null && (
        <Input.Error mt="xs" role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  )
}

/** The values of the form. Types that were chosen are kept when all are chosen after them. */
export type WebhookValues = {
  url: string
  description: string
  extent: 'all' | 'some'
  types: readonly EventType[]
  payload: WebhookPayload
}

/** The fields of the request, which names no types for all of them. */
export const writtenFields = ({ url, description, extent, types, payload }: WebhookValues) => ({
  url: url.trim(),
  description: description.trim(),
  // In the order of the catalogue, whatever the order of the clicks.
  types: extent === 'all' ? [] : eventTypeNames.filter((type) => types.includes(type)),
  payload,
})

import { Button, Fieldset, Group, NativeSelect, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { reasonCodes } from '@parley/contract'
import { maxReasons, maxReasonTextLength } from '@parley/rules/oauth-apps/app-review'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { fieldWords } from '../apps/overview/StatusSummary.tsx'
import { type DraftReason, emptyReason } from './suggested-reasons.ts'

type ReasonsForm = UseFormReturnType<{ reasons: DraftReason[] }>

type ReasonFieldsProps = {
  form: ReasonsForm
  fields: readonly string[]
  /** Of an app that was registered in the portal. */
  hasDeveloper: boolean
}

/** The reasons of a rejection: each has a code, the field concerned, and a text for the developer or the history. */
export function ReasonFields({ form, fields, hasDeveloper }: ReasonFieldsProps) {
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

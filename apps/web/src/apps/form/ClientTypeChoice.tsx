import { Radio, Stack } from '@mantine/core'
import { clientTypes } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import type { AppForm } from './use-app-form.ts'

/** Where the app runs, which decides whether it has a secret. Fixed once the app was submitted. */
export function ClientTypeChoice({ form, fixed }: { form: AppForm; fixed: boolean }) {
  const { t } = useTranslation('apps')
  const { values, set, errorOf } = form
  return (
    <Section title={t('field.clientType')}>
      <Radio.Group
        aria-label={t('field.clientType')}
        description={t(fixed ? 'form.clientTypeFixed' : 'form.clientTypeRule')}
        error={errorOf('clientType')}
        value={values.clientType}
        onChange={(value) => set('clientType', clientTypes.find((type) => type === value) ?? 'confidential')}
      >
        <Stack gap="xs" mt="sm">
          {clientTypes.map((type) => (
            <Radio
              key={type}
              value={type}
              label={t(`clientTypes.${type}.label`)}
              description={t(`clientTypes.${type}.explanation`)}
              disabled={fixed && type !== values.clientType}
            />
          ))}
        </Stack>
      </Radio.Group>
    </Section>
  )
}

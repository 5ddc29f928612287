import { Checkbox, Code, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import type { AppForm } from './use-app-form.ts'
import { useScopeSentence } from './use-case-name.ts'

type ScopeChoiceProps = { form: AppForm; scopes: readonly { scope: string; description: string }[] }

/** What the app may ask people for. */
export function ScopeChoice({ form, scopes }: ScopeChoiceProps) {
  const { t } = useTranslation('apps')
  const sentenceOf = useScopeSentence()
  const { values, set, errorOf } = form
  // In the order of the list, so that choosing and choosing again changes nothing.
  const choose = (chosen: readonly string[]) =>
    set(
      'scopes',
      scopes.map(({ scope }) => scope).filter((scope) => chosen.includes(scope)),
    )
  return (
    <Section title={t('field.scopes')}>
      <Checkbox.Group
        aria-label={t('field.scopes')}
        description={t('form.scopesRule')}
        value={[...values.scopes]}
        onChange={choose}
        error={errorOf('scopes')}
      >
        <Stack gap="sm" mt="sm" mb="xs">
          {scopes.map((one) => (
            <Checkbox
              key={one.scope}
              value={one.scope}
              label={sentenceOf(one)}
              description={<Code dir="ltr">{one.scope}</Code>}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </Section>
  )
}

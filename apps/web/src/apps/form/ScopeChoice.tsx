import { Checkbox, Code, Stack, Textarea } from '@mantine/core'
import { maxScopeReasonLength } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { useScopeWords } from '../../connected-apps/scope-words.ts'
import { Section } from '../../ui/Section.tsx'
import type { AppForm } from './use-app-form.ts'

type ScopeChoiceProps = { form: AppForm; scopes: readonly { scope: string; description: string }[] }

/** Choose the scopes that the app may request. */
export function ScopeChoice({ form, scopes }: ScopeChoiceProps) {
  const { t } = useTranslation('apps')
  const scopeWords = useScopeWords()
  const { values, set, errorOf } = form
  // Keep the order of the list, so that deselecting and selecting again is no change.
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
            <div key={one.scope}>
              <Checkbox value={one.scope} label={scopeWords(one)} description={<Code dir="ltr">{one.scope}</Code>} />
              {values.scopes.includes(one.scope) && (
                <Textarea
                  label={t('form.scopeReason')}
                  description={t('form.scopeReasonHint')}
                  aria-label={`${t('form.scopeReason')} ${scopeWords(one)}`}
                  ms="xl"
                  mt="xs"
                  autosize
                  minRows={1}
                  maxRows={5}
                  maxLength={maxScopeReasonLength}
                  value={values.scopeReasons[one.scope] ?? ''}
                  error={errorOf(`scopeReasons.${one.scope}`)}
                  onChange={({ currentTarget: { value } }) =>
                    set('scopeReasons', { ...values.scopeReasons, [one.scope]: value })
                  }
                />
              )}
            </div>
          ))}
        </Stack>
      </Checkbox.Group>
    </Section>
  )
}

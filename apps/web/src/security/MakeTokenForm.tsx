import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { createPersonalToken } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { portalScope, scopesQuery, useScopeWords } from '../connected-apps/scope-words.ts'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useNow } from '../ui/hooks/use-now.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { securityKey } from './security-queries.ts'

/** In days. Tokens expire by default, so that a forgotten one does not stay valid. */
const lifetimes = ['7', '30', '90', '365', 'never'] as const
type Lifetime = (typeof lifetimes)[number]

const dayMs = 24 * 60 * 60 * 1000

/** The expiry of a token with this lifetime (RFC 3339); null for never. */
const expiryOf = (lifetime: Lifetime, now: Date): string | null =>
  lifetime === 'never' ? null : new Date(now.getTime() + Number(lifetime) * dayMs).toISOString()

type MakeTokenFormProps = { onMade(token: string): void; onClose(): void }

const defaultLifetime: Lifetime = '90'
const aMinuteMs = 60_000

/** Least privilege by default: no scope selected, and a limited lifetime. */
export function MakeTokenForm({ onMade, onClose }: MakeTokenFormProps) {
  const { t } = useTranslation(['security', 'app', 'violations'])
  const now = useNow(aMinuteMs)
  const queryClient = useQueryClient()
  const fieldErrors = useFieldErrors()
  const scopeWords = useScopeWords()
  const { data: scopes = [], error } = useQuery(scopesQuery)
  const form = useForm({
    initialValues: { name: '', scopes: [] as string[], lifetime: defaultLifetime },
    validate: {
      name: (name) => (name.trim() === '' ? t('violations:required') : null),
      scopes: (chosen) => (chosen.length === 0 ? t('security:tokens.noScope') : null),
    },
  })
  const make = useMutation({
    mutationFn: ({ name, scopes: chosen, lifetime }: typeof form.values) =>
      client.call(createPersonalToken, {
        body: { name: name.trim(), scopes: chosen, expiresOn: expiryOf(lifetime, now) },
      }),
    onSuccess: async ({ token }) => {
      onMade(token)
      await queryClient.invalidateQueries({ queryKey: securityKey })
    },
    onError: (failure) => {
      form.setErrors(fieldErrors(failure))
      focusFirstInvalid()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit((values) => make.mutate(values), focusFirstInvalid)}>
      <ProblemAlert error={error ?? make.error} />
      <TextInput
        label={t('app:name')}
        description={t('security:tokens.nameExplanation')}
        required
        data-autofocus
        mb="md"
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label={t('security:tokens.may')} required mb="md" {...form.getInputProps('scopes')}>
        <Stack gap="xs" my="xs">
          {[...scopes, { scope: portalScope }].map((offered) => (
            <Checkbox
              key={offered.scope}
              value={offered.scope}
              label={scopeWords(offered)}
              description={offered.scope}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <NativeSelect label={t('app:expires')} {...form.getInputProps('lifetime')}>
        {lifetimes.map((lifetime) => (
          <option key={lifetime} value={lifetime}>
            {lifetime === 'never' ? t('security:tokens.never') : t('security:tokens.days', { count: Number(lifetime) })}
          </option>
        ))}
      </NativeSelect>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('app:cancel')}
        </Button>
        <Button type="submit" loading={make.isPending}>
          {t('security:tokens.make')}
        </Button>
      </Group>
    </form>
  )
}

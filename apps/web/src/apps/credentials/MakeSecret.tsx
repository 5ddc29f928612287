import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { createSecret } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { useFieldErrors } from '../../session/field-errors.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { focusFirstInvalid } from '../../ui/keyboard/focus-first-invalid.ts'
import { secretsQuery } from '../app-queries.ts'
import classes from './MakeSecret.module.css'

const maxNameLength = 100
const dayMs = 24 * 60 * 60 * 1_000
const minuteMs = 60 * 1_000
const lifetimes = { never: null, days30: 30 * dayMs, days90: 90 * dayMs, days365: 365 * dayMs } as const
type Lifetime = keyof typeof lifetimes
const lifetimeNames = Object.keys(lifetimes) as Lifetime[]

type MakeSecretProps = {
  appId: string
  sandbox: boolean
  onMade(secret: { name: string; secret: string }): void
  onCancel(): void
}

/** Create a client secret. Its name says later which program uses it. */
export function MakeSecret({ appId, sandbox, onMade, onCancel }: MakeSecretProps) {
  const { t } = useTranslation(['apps', 'app', 'violations'])
  const queryClient = useQueryClient()
  const fieldErrors = useFieldErrors()
  const now = useNow(minuteMs)
  const form = useForm({
    initialValues: { name: '', lifetime: 'never' as Lifetime },
    validate: { name: (name) => (name.trim() === '' ? t('violations:required') : null) },
  })
  const { getInputNode } = form
  // The button that opened the form is unmounted, and the focus would be lost.
  useEffect(() => getInputNode('name')?.focus(), [getInputNode])
  const attempt = useMutation({
    mutationFn: ({ name, lifetime }: typeof form.values) => {
      const lifetimeMs = lifetimes[lifetime]
      const expiresOn = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs).toISOString()
      return client.call(createSecret, { params: { appId }, body: { name: name.trim(), sandbox, expiresOn } })
    },
    onSuccess: async ({ name, secret }) => {
      await queryClient.invalidateQueries({ queryKey: secretsQuery(appId).queryKey })
      onMade({ name, secret })
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error))
      focusFirstInvalid()
    },
  })
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={form.onSubmit((values) => attempt.mutate(values), focusFirstInvalid)}
    >
      <ProblemAlert error={attempt.error} />
      <Group gap="sm" align="flex-start">
        <TextInput
          flex="1 1 14rem"
          label={t('app:name')}
          description={t('secrets.nameHint')}
          required
          maxLength={maxNameLength}
          {...form.getInputProps('name')}
        />
        <NativeSelect
          flex="1 1 10rem"
          label={t('app:expires')}
          description={t('secrets.lifetimeHint')}
          data={lifetimeNames.map((value) => ({ value, label: t(`secrets.lifetimes.${value}`) }))}
          {...form.getInputProps('lifetime')}
        />
      </Group>
      <Group mt="md">
        <Button type="submit" loading={attempt.isPending}>
          {t('secrets.makeNow')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('app:cancel')}
        </Button>
      </Group>
    </form>
  )
}

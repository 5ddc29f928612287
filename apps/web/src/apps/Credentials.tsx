import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { App, listSecrets, ReplyOf } from '@parley/contract'
import { isPublic } from '@parley/rules/oauth/client-type'
import { maxActiveSecrets } from '@parley/rules/oauth-apps/app-limits'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDates } from '../texts/dates.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { CopyField, SecretOnce } from '../ui/CopyField.tsx'
import { useNow } from '../ui/hooks/use-now.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import classes from './AppPage.module.css'
import { useCreateSecret, useRetireSecret } from './app-mutations.ts'
import { secretsQuery } from './app-queries.ts'

/** The client credentials of the sandbox and, once approved, of the live app; public clients have only ids. */
export function Credentials({ app }: { app: App }) {
  const { t } = useTranslation(['apps', 'app'])
  const hasNoSecret = isPublic(app.clientType)
  const { data: secrets, error } = useQuery({ ...secretsQuery(app._id), enabled: !hasNoSecret })
  const { clientId, sandboxClientId } = app
  const isOwn = (secret: SecretsProps['secrets'][number]) =>
    !secret.forPlayground && secret.sandbox === (clientId === undefined)
  return (
    <Stack gap="lg">
      {error !== null && <ProblemAlert error={error} />}
      <Section title={t('live')}>
        {clientId === undefined ? (
          <Text c="dimmed">{t(hasNoSecret ? 'credentials.notYetPublic' : 'credentials.notYet')}</Text>
        ) : (
          <Stack gap="md">
            <CopyField label={t('credentials.clientId')} value={clientId} monospace />
            {!hasNoSecret && <SecretsOf app={app} secrets={secrets} sandbox={false} />}
          </Stack>
        )}
      </Section>
      <Section title={t('app:sandbox')}>
        <Stack gap="md">
          <CopyField
            label={t('credentials.sandboxClientId')}
            value={sandboxClientId}
            monospace
            description={t('credentials.sandboxExplanation')}
          />
          {!hasNoSecret && <SecretsOf app={app} secrets={secrets} sandbox />}
        </Stack>
      </Section>
      {hasNoSecret ? (
        <Text c="dimmed">{t('credentials.noSecret')}</Text>
      ) : (
        <Rotation active={(secrets ?? []).filter(isOwn).length} />
      )}
    </Stack>
  )
}

type SecretsOfProps = { app: App; secrets: SecretsProps['secrets'] | undefined; sandbox: boolean }

const SecretsOf = ({ app, secrets, sandbox }: SecretsOfProps) =>
  secrets === undefined ? <RowSkeletons rows={2} /> : <Secrets app={app} secrets={secrets} sandbox={sandbox} />

type Secret = ReplyOf<typeof listSecrets>['secrets'][number]

type SecretsProps = { app: App; secrets: readonly Secret[]; sandbox: boolean }

/** The active secrets of one environment. Values are shown once, on creation. */
function Secrets({ app, secrets, sandbox }: SecretsProps) {
  const { t } = useTranslation('apps')
  const [making, setMaking] = useState(false)
  const { made, keep, clear } = useMadeSecret(app._id, sandbox)
  const shown = secrets.filter((secret) => secret.sandbox === sandbox)
  const own = shown.filter(({ forPlayground }) => !forPlayground)
  const full = own.length >= maxActiveSecrets
  return (
    <div>
      <Text fw={600} mb="xs">
        {t('secrets.title', { used: own.length, most: maxActiveSecrets })}
      </Text>
      {made !== undefined && (
        <SecretOnce label={t('secrets.value', { name: made.name })} secret={made.secret} onKept={clear} />
      )}
      {own.length === 0 && <Text c="dimmed">{t('secrets.none')}</Text>}
      <ul className={classes.rows}>
        {shown.map((secret) => (
          <SecretRow key={secret._id} appId={app._id} secret={secret} last={shown.length === 1} />
        ))}
      </ul>
      {!making && made === undefined && (
        <Button
          variant="default"
          mt="sm"
          leftSection={<IconPlus size={18} aria-hidden />}
          disabled={full}
          onClick={() => setMaking(true)}
        >
          {t('secrets.make')}
        </Button>
      )}
      {full && made === undefined && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('secrets.full')}
        </Text>
      )}
      {making && (
        <MakeSecret
          appId={app._id}
          sandbox={sandbox}
          onMade={(secret) => {
            keep(secret)
            setMaking(false)
          }}
          onCancel={() => setMaking(false)}
        />
      )}
    </div>
  )
}

function SecretRow({ appId, secret, last }: { appId: string; secret: Secret; last: boolean }) {
  const { t } = useTranslation(['apps', 'app'])
  const { date, dateTime } = useDates()
  const [isConfirming, setConfirming] = useState(false)
  const { _id: secretId, name, createdOn, expiresOn, lastUsedOn, forPlayground } = secret
  const retirement = useRetireSecret(appId, {
    onSaved: () => setConfirming(false),
    onRefreshed: () => showToast({ message: t('secrets.retired', { name }) }),
  })
  const facts = [
    ...(forPlayground ? [t('secrets.forPlayground')] : []),
    t('secrets.madeOn', { day: date(createdOn) }),
    lastUsedOn === null ? t('app:neverUsed') : t('secrets.usedOn', { moment: dateTime(lastUsedOn) }),
    expiresOn === null ? t('app:doesNotExpire') : t('secrets.endsOn', { day: date(expiresOn) }),
  ]
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={600}>{name}</Text>
          {facts.map((fact) => (
            <Text key={fact} size="sm" c="dimmed">
              {fact}
            </Text>
          ))}
        </div>
        <Button variant="outline" color="red" size="xs" onClick={() => setConfirming(true)}>
          {t('secrets.retire', { name })}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isConfirming}
        title={t('secrets.retireQuestion', { name })}
        confirm={t('secrets.retireConfirm')}
        dangerous
        busy={retirement.isPending}
        onConfirm={() => retirement.mutate(secretId)}
        onClose={() => setConfirming(false)}
      >
        <ProblemAlert error={retirement.error} />
        <Text>{t(last ? 'secrets.retireLast' : 'secrets.retireExplanation')}</Text>
      </ConfirmDialog>
    </li>
  )
}

type MadeSecret = { name: string; secret: string }

/**
 * A secret that was just created. It is kept in this window's memory across tabs and pages until the user confirms
 * having stored it; leaving the window before asks for confirmation.
 */
function useMadeSecret(appId: string, sandbox: boolean) {
  const queryClient = useQueryClient()
  const queryKey = ['made-secret', appId, sandbox]
  const { data: made = null } = useQuery<MadeSecret | null>({
    queryKey,
    queryFn: () => null,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const isMade = made !== null
  useEffect(() => {
    if (!isMade) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isMade])
  return {
    made: made ?? undefined,
    keep: (secret: MadeSecret) => queryClient.setQueryData(queryKey, secret),
    clear: () => queryClient.setQueryData(queryKey, null),
  }
}

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
function MakeSecret({ appId, sandbox, onMade, onCancel }: MakeSecretProps) {
  const { t } = useTranslation(['apps', 'app', 'violations'])
  const fieldErrors = useFieldErrors()
  const now = useNow(minuteMs)
  const form = useForm({
    initialValues: { name: '', lifetime: 'never' as Lifetime },
    validate: { name: (name) => (name.trim() === '' ? t('violations:required') : null) },
  })
  const { getInputNode } = form
  // The button that opened the form is unmounted, and the focus would be lost.
  useEffect(() => getInputNode('name')?.focus(), [getInputNode])
  const attempt = useCreateSecret(appId, {
    onRefreshed: ({ name, secret }) => onMade({ name, secret }),
    onError: (error) => {
      form.setErrors(fieldErrors(error))
      focusFirstInvalid()
    },
  })
  const create = ({ name, lifetime }: typeof form.values) => {
    const lifetimeMs = lifetimes[lifetime]
    const expiresOn = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs).toISOString()
    attempt.mutate({ name: name.trim(), sandbox, expiresOn })
  }
  return (
    <form noValidate className={classes.form} onSubmit={form.onSubmit(create, focusFirstInvalid)}>
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

const steps = ['make', 'deploy', 'wait', 'retire'] as const

/** Explain how to rotate a secret without downtime, and which step is next. */
function Rotation({ active }: { active: number }) {
  const { t } = useTranslation('apps')
  const next = active > 1 ? 'deploy' : 'make'
  return (
    <Section title={t('rotation.title')}>
      <Text c="dimmed" size="sm" mb="sm">
        {t('rotation.explanation')}
      </Text>
      <Stack component="ol" gap="sm" m={0} ps="1.5rem">
        {steps.map((step) => (
          <li key={step} aria-current={step === next ? 'step' : undefined}>
            <Text component="span" fw={600}>
              {t(`rotation.${step}`)}
            </Text>
            {step === next && (
              <Text component="span" size="sm" c="var(--parley-accent)">
                {' '}
                {t('rotation.next')}
              </Text>
            )}
            <Text size="sm">{t(`rotation.${step}Explanation`)}</Text>
          </li>
        ))}
      </Stack>
    </Section>
  )
}

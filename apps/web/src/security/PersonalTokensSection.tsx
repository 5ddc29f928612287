import { Badge, Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { PersonalToken } from '@parley/contract'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { portalScope, scopesQuery, useScopeWords } from '../connected-apps/scope-words.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { SettingsSection } from '../settings/SettingsPage.tsx'
import { useDates } from '../texts/dates.ts'
import { SecretOnce } from '../ui/CopyField.tsx'
import { useNow } from '../ui/hooks/use-now.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { Modal } from '../ui/Modal.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { EndCredentialDialog } from './EndCredentialDialog.tsx'
import { useCreatePersonalToken } from './security-mutations.ts'
import { personalTokensQuery } from './security-queries.ts'

/** Personal access tokens for scripts. */
export function PersonalTokensSection() {
  const { t } = useTranslation('security')
  const { data, error } = useQuery(personalTokensQuery)
  const [making, setMaking] = useState(false)
  const [deleted, setDeleted] = useState<PersonalToken>()
  return (
    <SettingsSection
      title={t('tokens.title')}
      explanation={t('tokens.explanation')}
      actions={
        <Button variant="default" size="sm" onClick={() => setMaking(true)}>
          {t('tokens.make')}
        </Button>
      }
    >
      <ProblemAlert error={error} />
      {data === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={1} />
        </Stack>
      )}
      {data?.length === 0 && <Text>{t('tokens.none')}</Text>}
      {data !== undefined && data.length > 0 && (
        <Rows label={t('tokens.title')}>
          {data.map((token) => (
            <TokenRow key={token._id} token={token} onDelete={() => setDeleted(token)} />
          ))}
        </Rows>
      )}
      {making && <MakeTokenDialog onClose={() => setMaking(false)} />}
      {deleted !== undefined && (
        <EndCredentialDialog
          title={t('tokens.askDelete', { name: deleted.name })}
          explanation={t('tokens.deleteExplanation')}
          confirm={t('tokens.delete')}
          done={t('tokens.deleted')}
          credential={{ tokenId: deleted._id }}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </SettingsSection>
  )
}

/** How often expiries are checked. */
const checkEveryMs = 60_000

function TokenRow({ token, onDelete }: { token: PersonalToken; onDelete(): void }) {
  const { t } = useTranslation(['security', 'connected-apps', 'app'])
  const { date, relative } = useDates()
  const now = useNow(checkEveryMs)
  const { name, scopes, createdOn, expiresOn, lastUsedOn } = token
  const expired = expiresOn !== null && new Date(expiresOn) <= now
  const until = expiresOn === null ? t('app:doesNotExpire') : t('tokens.until', { day: date(expiresOn) })
  return (
    <Row
      icon={<IconKey size={20} />}
      name={name}
      marks={expired && <Badge color="red">{t('tokens.expired')}</Badge>}
      details={[
        scopes.join(' · '),
        expired ? t('tokens.expiredOn', { day: date(expiresOn) }) : until,
        t('added', { day: date(createdOn) }),
        lastUsedOn === null
          ? t('app:neverUsed')
          : t('connected-apps:lastUsed', { distance: relative(lastUsedOn, now) }),
      ]}
      actions={
        <Button
          variant="default"
          size="xs"
          aria-label={t('named', { action: t('tokens.delete'), name })}
          onClick={onDelete}
        >
          {t('tokens.delete')}
        </Button>
      }
    />
  )
}

/**
 * The new token replaces the form. Then only its own button closes the dialog, because the token is never shown again.
 */
function MakeTokenDialog({ onClose }: { onClose(): void }) {
  useReturnFocus()
  const { t } = useTranslation(['security', 'app'])
  const [token, setToken] = useState<string>()
  const shown = token !== undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(shown ? 'security:tokens.made' : 'security:tokens.make')}
      closeOnClickOutside={!shown}
      closeOnEscape={!shown}
      withCloseButton={!shown}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      {shown ? (
        <SecretOnce label={t('security:tokens.token')} secret={token} onKept={onClose} />
      ) : (
        <MakeTokenForm onMade={setToken} onClose={onClose} />
      )}
    </Modal>
  )
}

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
function MakeTokenForm({ onMade, onClose }: MakeTokenFormProps) {
  const { t } = useTranslation(['security', 'app', 'violations'])
  const now = useNow(aMinuteMs)
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
  const make = useCreatePersonalToken({
    onSaved: ({ token }) => onMade(token),
    onError: (failure) => {
      form.setErrors(fieldErrors(failure))
      focusFirstInvalid()
    },
  })
  const create = ({ name, scopes: chosen, lifetime }: typeof form.values) =>
    make.mutate({ name: name.trim(), scopes: chosen, expiresOn: expiryOf(lifetime, now) })
  return (
    <form noValidate onSubmit={form.onSubmit(create, focusFirstInvalid)}>
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

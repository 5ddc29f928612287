import {
  ActionIcon,
  Button,
  Checkbox,
  Code,
  Group,
  List,
  NativeSelect,
  Radio,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core'
import { clientTypes, maxReviewNotesLength, maxScopeReasonLength } from '@parley/contract'
import { isPublic } from '@parley/rules/oauth/client-type'
import { maxAppDescriptionLength, maxCallbackUrls, maxEmbedOrigins } from '@parley/rules/oauth-apps/app-fields'
import { maxAppNameLength, minAppNameLength } from '@parley/rules/oauth-apps/app-name'
import { isPlainHttp, maxAppUrlLength } from '@parley/rules/oauth-apps/app-url'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useScopeWords } from '../../connected-apps/scope-words.ts'
import { Section } from '../../ui/Section.tsx'
import { useUseCaseName } from '../app-words.ts'
import { linesOf, newCallback } from './app-values.ts'
import type { AppForm } from './use-app-form.ts'

const pages = ['homepageUrl', 'policyUrl', 'logoUrl'] as const

type AppFieldsProps = {
  form: AppForm
  useCases: readonly { code: string; name: string }[]
  scopes: readonly { scope: string; description: string }[]
  /** The app was submitted, so that its type stays. */
  typeIsFixed: boolean
}

/** Every field of an app with its rules. */
export function AppFields({ form, useCases, scopes, typeIsFixed }: AppFieldsProps) {
  const { t } = useTranslation('apps')
  const nameOf = useUseCaseName()
  const { values, set, errorOf, leave } = form
  const hasNoSecret = isPublic(values.clientType)
  return (
    <Stack gap="lg">
      <Section title={t('facts.title')}>
        <Stack gap="md">
          <TextInput
            label={t('field.name')}
            description={t('form.nameRule', { least: minAppNameLength, most: maxAppNameLength })}
            required
            value={values.name}
            error={errorOf('name')}
            onBlur={() => leave('name')}
            onChange={({ currentTarget: { value } }) => set('name', value)}
          />
          <Textarea
            label={t('field.description')}
            description={t('form.descriptionRule', { most: maxAppDescriptionLength })}
            rows={3}
            value={values.description}
            error={errorOf('description')}
            onBlur={() => leave('description')}
            onChange={({ currentTarget: { value } }) => set('description', value)}
          />
          <NativeSelect
            label={t('field.useCase')}
            required
            value={values.useCase}
            error={errorOf('useCase')}
            data={[
              { value: '', label: t('form.choose') },
              ...useCases.map((useCase) => ({ value: useCase.code, label: nameOf(useCase) })),
            ]}
            onBlur={() => leave('useCase')}
            onChange={({ currentTarget: { value } }) => set('useCase', value)}
          />
          {pages.map((page) => (
            <TextInput
              key={page}
              label={t(`field.${page}`)}
              description={t(`form.${page}Rule`)}
              type="url"
              dir="ltr"
              required
              maxLength={maxAppUrlLength}
              value={values[page]}
              error={errorOf(page)}
              onBlur={() => leave(page)}
              onChange={({ currentTarget: { value } }) => set(page, value.trim())}
            />
          ))}
        </Stack>
      </Section>
      <ClientTypeChoice form={form} fixed={typeIsFixed} />
      <CallbackUrls form={form} />
      <ScopeChoice form={form} scopes={scopes} />
      <EmbedOrigins form={form} />
      <Section title={t('form.forReviewers')}>
        <Textarea
          label={t('field.reviewNotes')}
          description={t('form.reviewNotesHint')}
          rows={4}
          maxLength={maxReviewNotesLength}
          value={values.reviewNotes}
          error={errorOf('reviewNotes')}
          onChange={({ currentTarget: { value } }) => set('reviewNotes', value)}
        />
      </Section>
      <Section title={t('form.protocol')}>
        <Stack gap="md">
          <Switch
            label={t('field.requirePkce')}
            description={t(hasNoSecret ? 'form.pkceAlways' : 'form.requirePkceRule')}
            checked={values.requirePkce || hasNoSecret}
            disabled={hasNoSecret}
            onChange={({ currentTarget: { checked } }) => set('requirePkce', checked)}
          />
          <Switch
            label={t('field.sendIss')}
            description={t('form.sendIssRule')}
            checked={values.sendIss}
            onChange={({ currentTarget: { checked } }) => set('sendIss', checked)}
          />
        </Stack>
      </Section>
    </Stack>
  )
}

/** Where the app runs, which decides whether it has a secret. Fixed once the app was submitted. */
function ClientTypeChoice({ form, fixed }: { form: AppForm; fixed: boolean }) {
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

/** What callbacks begin with, and what they must not contain, by where the app runs. */
const callbackRules = {
  confidential: ['form.callbackHttps', 'form.callbackHost'],
  native: ['form.callbackNative', 'form.callbackNativeCharacters'],
  single_page: ['form.callbackSinglePage', 'form.callbackHost'],
} as const

/** The redirect URIs: one to ten, each validated on its own. */
function CallbackUrls({ form }: { form: AppForm }) {
  const { t } = useTranslation(['apps', 'app'])
  const { values, set, errorOf, leave } = form
  const rows = values.callbackUrls
  const rules = callbackRules[values.clientType]
  const change = (key: string, url: string) =>
    set(
      'callbackUrls',
      rows.map((row) => (row.key === key ? { key, url: url.trim() } : row)),
    )
  return (
    <Section title={t('field.callbackUrls')}>
      <Text size="sm" c="dimmed">
        {t('form.callbackRule')}
      </Text>
      <List size="sm" c="dimmed" my="xs" spacing={2}>
        {rules.map((rule) => (
          <List.Item key={rule}>{t(rule)}</List.Item>
        ))}
        <List.Item>
          {t('form.callbackParameters')} <bdi>sessionId, token, success, redirect_uri, clientId</bdi>
        </List.Item>
      </List>
      <Stack gap="sm">
        {rows.map(({ key, url }, index) => {
          const error = errorOf(`callbackUrls.${index}`)
          const unencrypted = error === undefined && URL.canParse(url) && isPlainHttp(url)
          return (
            <Group key={key} gap="xs" align="flex-start" wrap="nowrap">
              <TextInput
                flex={1}
                type="url"
                dir="ltr"
                aria-label={t('field.callbackUrl', { number: index + 1 })}
                required
                maxLength={maxAppUrlLength}
                value={url}
                error={error}
                description={unencrypted ? t('form.callbackUnencrypted') : undefined}
                inputWrapperOrder={['input', 'error', 'description']}
                onBlur={() => leave(`callbackUrls.${index}`)}
                onChange={({ currentTarget: { value } }) => change(key, value)}
              />
              <Tooltip label={t('form.removeCallback', { number: index + 1 })}>
                <ActionIcon
                  variant="default"
                  size={36}
                  aria-label={t('form.removeCallback', { number: index + 1 })}
                  disabled={rows.length === 1}
                  onClick={() =>
                    set(
                      'callbackUrls',
                      rows.filter((row) => row.key !== key),
                    )
                  }
                >
                  <IconTrash size={18} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </Group>
          )
        })}
      </Stack>
      <Text role="alert" c="var(--parley-danger)" size="sm">
        {errorOf('callbackUrls')}
      </Text>
      <Group mt="sm" gap="md">
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          disabled={rows.length >= maxCallbackUrls}
          onClick={() => set('callbackUrls', [...rows, newCallback()])}
        >
          {t('form.addCallback')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('app:numberOf', { number: rows.length, total: maxCallbackUrls })}
        </Text>
      </Group>
    </Section>
  )
}

/** The origins of pages that may embed meetings. An app that lets no one join embeds nothing. */
function EmbedOrigins({ form }: { form: AppForm }) {
  const { t } = useTranslation('apps')
  const { values, set, errorOf, leave } = form
  if (!values.scopes.includes('meeting:join') && values.embedOrigins === '') return null
  const paths = ['embedOrigins', ...linesOf(values.embedOrigins).map((_, index) => `embedOrigins.${index}`)]
  return (
    <Section title={t('field.embedOrigins')}>
      <Textarea
        aria-label={t('field.embedOrigins')}
        description={t('form.embedOriginsRule', { most: maxEmbedOrigins })}
        placeholder="https://app.example.org"
        dir="ltr"
        autosize
        minRows={2}
        maxRows={maxEmbedOrigins}
        value={values.embedOrigins}
        error={paths.map(errorOf).find((error) => error !== undefined)}
        onBlur={() => leave(...paths)}
        onChange={({ currentTarget: { value } }) => set('embedOrigins', value)}
      />
    </Section>
  )
}

type ScopeChoiceProps = { form: AppForm; scopes: readonly { scope: string; description: string }[] }

/** Choose the scopes that the app may request. */
function ScopeChoice({ form, scopes }: ScopeChoiceProps) {
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

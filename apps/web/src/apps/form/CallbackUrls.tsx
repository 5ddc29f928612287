import { ActionIcon, Button, Group, List, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { maxCallbackUrls } from '@parley/rules/oauth-apps/app-fields'
import { isPlainHttp, maxAppUrlLength } from '@parley/rules/oauth-apps/app-url'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import { newCallback } from './app-values.ts'
import type { AppForm } from './use-app-form.ts'

/** What callbacks begin with, and what they must not contain, by where the app runs. */
const callbackRules = {
  confidential: ['form.callbackHttps', 'form.callbackHost'],
  native: ['form.callbackNative', 'form.callbackNativeCharacters'],
  single_page: ['form.callbackSinglePage', 'form.callbackHost'],
} as const

/** The redirect URIs: one to ten, each validated on its own. */
export function CallbackUrls({ form }: { form: AppForm }) {
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

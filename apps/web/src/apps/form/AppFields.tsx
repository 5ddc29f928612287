import { NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { maxReviewNotesLength } from '@parley/contract'
import { isPublic } from '@parley/rules/oauth/client-type'
import { maxAppDescriptionLength } from '@parley/rules/oauth-apps/app-fields'
import { maxAppNameLength, minAppNameLength } from '@parley/rules/oauth-apps/app-name'
import { maxAppUrlLength } from '@parley/rules/oauth-apps/app-url'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import { CallbackUrls } from './CallbackUrls.tsx'
import { ClientTypeChoice } from './ClientTypeChoice.tsx'
import { ScopeChoice } from './ScopeChoice.tsx'
import type { AppForm } from './use-app-form.ts'
import { useUseCaseName } from './use-case-name.ts'

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

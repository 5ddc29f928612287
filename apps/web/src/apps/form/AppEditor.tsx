import { Box, Button, Group, Text } from '@mantine/core'
import type { App } from '@parley/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../../session/field-errors.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { AnswerField } from './AnswerField.tsx'
import classes from './AppEditor.module.css'
import { AppFields } from './AppFields.tsx'
import type { AppValues } from './app-values.ts'
import { ConsentPreview } from './ConsentPreview.tsx'
import { useAppForm } from './use-app-form.ts'

type AppEditorProps = {
  initial: AppValues
  useCases: readonly { code: string; name: string }[]
  scopes: readonly { scope: string; description: string }[]
  /** Set for a live app. */
  liveName?: string | undefined
  typeIsFixed?: boolean
  /** Rendered next to the preview, from the current values. */
  children?: (values: AppValues) => ReactNode
  /** Return the button's label for the current values. */
  submitLabel: (values: AppValues) => string
  /** A reviewer has given reasons, which the next submission can answer. */
  asksAnswer?: boolean
  /** The button whose request is pending. */
  busy: 'draft' | 'submit' | undefined
  error: unknown
  /** Resolves when the reply has arrived. @throws the server's refusal */
  onSend(values: AppValues, draft: boolean): Promise<App>
}

/** The form next to a preview of the consent page. */
export function AppEditor(props: AppEditorProps) {
  const { initial, useCases, scopes, liveName, typeIsFixed = false, children, submitLabel } = props
  const { asksAnswer = false, busy, error, onSend } = props
  const { t } = useTranslation('apps')
  const fieldErrors = useFieldErrors()
  const choices = {
    useCases: useCases.map(({ code }) => code),
    scopes: scopes.map(({ scope }) => scope),
    baseUrl: location.origin,
    liveName,
  }
  const form = useAppForm(initial, choices)
  const send = (draft: boolean) => {
    if (form.validateAll()) onSend(form.values, draft).catch((refusal) => form.refuse(fieldErrors(refusal)))
  }
  return (
    <form
      noValidate
      className={classes.editor}
      onSubmit={(event) => {
        event.preventDefault()
        send(false)
      }}
    >
      <div>
        <AppFields form={form} useCases={useCases} scopes={scopes} typeIsFixed={typeIsFixed} />
        {asksAnswer && (
          <AnswerField
            value={form.values.answer}
            error={form.errorOf('answer')}
            onChange={(value) => form.set('answer', value)}
          />
        )}
        <Box mt="md">
          <ProblemAlert error={error} />
          {form.refusedOwner !== undefined && (
            <Text c="var(--parley-danger)" mb="md">
              {t('form.ownerRefused', { violation: form.refusedOwner })}
            </Text>
          )}
        </Box>
        <Group>
          <Button type="submit" loading={busy === 'submit'} disabled={busy === 'draft'}>
            {submitLabel(form.values)}
          </Button>
          <Button variant="default" loading={busy === 'draft'} disabled={busy === 'submit'} onClick={() => send(true)}>
            {t('form.saveDraft')}
          </Button>
        </Group>
      </div>
      <aside className={classes.beside} aria-label={t('form.beside')}>
        {children?.(form.values)}
        <ConsentPreview values={form.values} scopes={scopes} />
      </aside>
    </form>
  )
}

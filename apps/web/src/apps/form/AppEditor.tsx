import { Button, Group, Text } from '@mantine/core'
import type { App } from '@parley/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../../session/field-errors.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { AnswerField } from '../overview/AnswerField.tsx'
import classes from './AppEditor.module.css'
import { AppFields } from './AppFields.tsx'
import type { AppValues } from './app-values.ts'
import { ConsentPreview } from './ConsentPreview.tsx'
import { useAppForm } from './use-app-form.ts'

type AppEditorProps = {
  initial: AppValues
  useCases: readonly { code: string; name: string }[]
  scopes: readonly { scope: string; description: string }[]
  /** Of an app that is live. */
  liveName?: string | undefined
  /** What stands beside the preview, of the values as they are. */
  children?: (values: AppValues) => ReactNode
  /** Says what the button does with the values as they are. */
  submitLabel: (values: AppValues) => string
  /** A reviewer has given reasons: they can be answered with the next submission. */
  asksAnswer?: boolean
  /** Which button waits for an answer. */
  busy: 'draft' | 'submit' | undefined
  error: unknown
  /** Resolves when the answer is there. @throws what the server refused */
  onSend(values: AppValues, draft: boolean): Promise<App>
}

/** The form on one side; on the other what people will see of it. */
export function AppEditor(props: AppEditorProps) {
  const { initial, useCases, scopes, liveName, children, submitLabel, asksAnswer = false, busy, error, onSend } = props
  const { t } = useTranslation('apps')
  const fieldErrors = useFieldErrors()
  const choices = { useCases: useCases.map(({ code }) => code), scopes: scopes.map(({ scope }) => scope), liveName }
  const form = useAppForm(initial, choices)
  const send = (draft: boolean) => {
    if (form.judge()) onSend(form.values, draft).catch((refusal) => form.refuse(fieldErrors(refusal)))
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
      <div className={classes.fields}>
        <AppFields form={form} useCases={useCases} scopes={scopes} />
        {asksAnswer && (
          <AnswerField
            value={form.values.answer}
            error={form.errorOf('answer')}
            onChange={(value) => form.set('answer', value)}
          />
        )}
        <div className={classes.problem}>
          <ProblemAlert error={error} />
          {form.refusedOwner !== undefined && (
            <Text c="var(--parley-danger)" mb="md">
              {t('form.ownerRefused', { fault: form.refusedOwner })}
            </Text>
          )}
        </div>
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

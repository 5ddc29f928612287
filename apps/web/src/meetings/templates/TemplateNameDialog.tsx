import { Button, Group, TextInput } from '@mantine/core'
import { maxTemplateNameLength } from '@parley/contract'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'

type TemplateNameDialogProps = {
  title: string
  /** The label of the button. */
  confirm: string
  suggested: string
  error: Error | null
  busy: boolean
  onConfirm(name: string): void
  onClose(): void
  children?: ReactNode
}

/** Ask for the name of a template. */
export function TemplateNameDialog(props: TemplateNameDialogProps) {
  const { title, confirm, suggested, error, busy, onConfirm, onClose, children } = props
  useReturnFocus()
  const { t } = useTranslation('app')
  // Half of an emoji at the limit would be refused.
  const [name, setName] = useState(() =>
    suggested
      .trim()
      .slice(0, maxTemplateNameLength)
      .replace(/[\ud800-\udbff]$/, ''),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The dialog of the meeting form stands in a form.
    event.stopPropagation()
    if (name.trim() !== '') onConfirm(name.trim())
  }
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <form noValidate onSubmit={submit}>
        <ProblemAlert error={error} />
        {children}
        <TextInput
          label={t('name')}
          maxLength={maxTemplateNameLength}
          required
          dir="auto"
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" disabled={name.trim() === ''} loading={busy}>
            {confirm}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

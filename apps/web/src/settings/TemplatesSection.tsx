import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TemplateNameDialog } from '../meetings/templates/TemplateNameDialog.tsx'
import {
  type ListedTemplate,
  templatesQuery,
  useDeleteTemplate,
  useRenameTemplate,
} from '../meetings/templates/templates.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { SettingsSection } from './SettingsPage.tsx'

type Opened = { dialog: 'rename' | 'delete'; template: ListedTemplate }

/** The templates that new meetings begin with: rename and delete them. */
export function TemplatesSection() {
  const { t } = useTranslation('schedule')
  const { data: templates, error } = useQuery(templatesQuery)
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  return (
    <SettingsSection title={t('templates.title')} explanation={t('templates.explanation')}>
      <ProblemAlert error={error} />
      {templates?.length === 0 && <Text c="dimmed">{t('templates.none')}</Text>}
      <Stack gap={0} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {templates?.map((template) => (
          <Group key={template._id} component="li" justify="space-between" wrap="nowrap" gap="sm" mih="2.75rem">
            <Text style={{ overflowWrap: 'anywhere' }} dir="auto">
              {template.name}
            </Text>
            <Group gap={4} wrap="nowrap">
              {(['rename', 'delete'] as const).map((dialog) => (
                <Button
                  key={dialog}
                  variant="subtle"
                  size="compact-sm"
                  color={dialog === 'delete' ? 'red' : 'gray'}
                  // One of several on the page.
                  aria-label={`${t(`templates.${dialog}`)}: ${template.name}`}
                  onClick={() => setOpened({ dialog, template })}
                >
                  {t(`templates.${dialog}`)}
                </Button>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
      {opened?.dialog === 'rename' && <RenameDialog template={opened.template} onClose={close} />}
      {opened?.dialog === 'delete' && <DeleteDialog template={opened.template} onClose={close} />}
    </SettingsSection>
  )
}

type TemplateDialogProps = { template: ListedTemplate; onClose(): void }

function RenameDialog({ template, onClose }: TemplateDialogProps) {
  const { t } = useTranslation('schedule')
  const renaming = useRenameTemplate({ onRefreshed: onClose })
  return (
    <TemplateNameDialog
      title={t('templates.rename')}
      confirm={t('templates.rename')}
      suggested={template.name}
      error={renaming.error}
      busy={renaming.isPending}
      onConfirm={(name) => renaming.mutate({ templateId: template._id, name })}
      onClose={onClose}
    />
  )
}

function DeleteDialog({ template, onClose }: TemplateDialogProps) {
  useReturnFocus()
  const { t } = useTranslation('schedule')
  const deleting = useDeleteTemplate({ onRefreshed: onClose })
  return (
    <ConfirmDialog
      opened
      title={t('templates.deleteTitle', { name: template.name })}
      confirm={t('templates.delete')}
      dangerous
      busy={deleting.isPending}
      onConfirm={() => deleting.mutate({ templateId: template._id })}
      onClose={onClose}
    >
      <ProblemAlert error={deleting.error} />
      <Text>{t('templates.deleteExplanation')}</Text>
    </ConfirmDialog>
  )
}

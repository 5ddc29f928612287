import { Button, Menu, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { IconChevronDown, IconTemplate } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemWords } from '../../session/problem-words.ts'
import { showToast } from '../../ui/toast.ts'
import { draftOf, type MeetingDraft } from '../schedule/meeting-draft.ts'
import { TemplateNameDialog } from './TemplateNameDialog.tsx'
import {
  draftFromTemplate,
  type ListedTemplate,
  templateOf,
  templateQuery,
  templatesQuery,
  useSaveTemplate,
} from './templates.ts'

type TemplateMenuProps = { draft: MeetingDraft; onReplace(draft: MeetingDraft): void }

/** Begin the form with a template, or save what it has as one. */
export function TemplateMenu({ draft, onReplace }: TemplateMenuProps) {
  const { t } = useTranslation('schedule')
  const words = useProblemWords()
  const queryClient = useQueryClient()
  const { data: templates = [] } = useQuery(templatesQuery)
  const [saves, setSaves] = useState(false)
  const begin = async ({ _id, name }: ListedTemplate) => {
    try {
      const template = await queryClient.fetchQuery({ ...templateQuery(_id), staleTime: 0 })
      onReplace(draftFromTemplate(draft, template))
      showToast({ message: t('templates.begun', { name }), about: 'template', undo: () => onReplace(draft) })
    } catch (error) {
      showToast({ message: words(error), kind: 'problem', about: 'template' })
    }
  }
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false} width={280}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconTemplate size={18} aria-hidden />}
            rightSection={<IconChevronDown size={16} aria-hidden />}
          >
            {t('templates.title')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="70dvh" style={{ overflowY: 'auto' }}>
          {templates.length > 0 && <Menu.Label>{t('templates.begin')}</Menu.Label>}
          {templates.map((template) => (
            <Menu.Item key={template._id} onClick={() => void begin(template)} style={{ overflowWrap: 'anywhere' }}>
              <bdi>{template.name}</bdi>
            </Menu.Item>
          ))}
          {templates.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setSaves(true)}>{t('templates.save')}</Menu.Item>
          {templates.length > 0 && (
            <Menu.Item renderRoot={(props) => <Link to="/settings/meetings" {...props} />}>
              {t('templates.manage')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {saves && <SaveTemplateDialog draft={draft} onClose={() => setSaves(false)} />}
    </>
  )
}

/** Save a meeting as a template. */
export function SaveMeetingDialog({ meeting, onClose }: { meeting: SingleMeetingReply; onClose(): void }) {
  const [draft] = useState(() => draftOf(meeting))
  return <SaveTemplateDialog draft={draft} onClose={onClose} />
}

type SaveTemplateDialogProps = { draft: MeetingDraft; onClose(): void }

/** Ask for a name, and save what the draft has besides its date. */
function SaveTemplateDialog({ draft, onClose }: SaveTemplateDialogProps) {
  const { t } = useTranslation('schedule')
  const saving = useSaveTemplate({
    onSaved: (_reply, { name }) => {
      showToast({ message: t('templates.saved', { name }), about: 'template' })
      onClose()
    },
  })
  return (
    <TemplateNameDialog
      title={t('templates.save')}
      confirm={t('templates.confirm')}
      suggested={draft.topic}
      error={saving.error}
      busy={saving.isPending}
      onConfirm={(name) => saving.mutate(templateOf(draft, name))}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed" mb="md">
        {t('templates.explanation')}
      </Text>
    </TemplateNameDialog>
  )
}

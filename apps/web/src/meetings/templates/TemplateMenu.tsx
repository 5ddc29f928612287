import { Button, Group, Menu, Text, TextInput } from '@mantine/core'
import { maxTemplateNameLength, type SingleMeetingReply } from '@parley/contract'
import { IconChevronDown, IconTemplate } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useProblemWords } from '../../session/problem-words.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import { showToast } from '../../ui/toast.ts'
import { draftOf, type MeetingDraft } from '../schedule/meeting-draft.ts'
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
  useReturnFocus()
  const { t } = useTranslation(['schedule', 'app'])
  const [name, setName] = useState(draft.topic.trim().slice(0, maxTemplateNameLength))
  const saving = useSaveTemplate({
    onSaved: () => {
      showToast({ message: t('templates.saved', { name: name.trim() }), about: 'template' })
      onClose()
    },
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    // The dialog stands in a form of its own.
    event.stopPropagation()
    if (name.trim() !== '') saving.mutate(templateOf(draft, name.trim()))
  }
  return (
    <Modal opened onClose={onClose} title={t('templates.save')} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <form noValidate onSubmit={save}>
        <ProblemAlert error={saving.error} />
        <Text size="sm" c="dimmed" mb="md">
          {t('templates.explanation')}
        </Text>
        <TextInput
          label={t('app:name')}
          maxLength={maxTemplateNameLength}
          required
          dir="auto"
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" disabled={name.trim() === ''} loading={saving.isPending}>
            {t('templates.confirm')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

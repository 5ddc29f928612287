import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { type App, deleteApp } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { Section } from '../../ui/Section.tsx'
import { showToast } from '../../ui/toast.ts'

/** Delete an app. This cannot be undone, so the app's name must be typed. */
export function DeleteApp({ app: { _id: appId, name } }: { app: App }) {
  const { t } = useTranslation(['apps', 'app'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState('')
  const deletion = useMutation({
    mutationFn: () => client.call(deleteApp, { params: { appId } }),
    onSuccess: async () => {
      setOpened(false)
      await navigate({ to: '/developers' })
      queryClient.removeQueries({ queryKey: ['apps', 'one', appId] })
      await queryClient.invalidateQueries({ queryKey: ['apps', 'list'] })
      showToast({ message: t('delete.done', { name }) })
    },
  })
  return (
    <Section title={t('delete.title')}>
      <Text mb="md">{t('delete.explanation')}</Text>
      <Button variant="outline" color="red" onClick={() => setOpened(true)}>
        {t('delete.begin')}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('delete.question', { name })}
        closeButtonProps={{ 'aria-label': t('app:close') }}
      >
        <ProblemAlert error={deletion.error} />
        <Text mb="md">{t('delete.warning')}</Text>
        <TextInput
          label={t('delete.type', { name })}
          value={typed}
          autoComplete="off"
          data-autofocus
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => setOpened(false)}>
            {t('app:cancel')}
          </Button>
          <Button
            color="red"
            disabled={typed.trim() !== name.trim()}
            loading={deletion.isPending}
            onClick={() => deletion.mutate()}
          >
            {t('delete.confirm')}
          </Button>
        </Group>
      </Modal>
    </Section>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { exportOwnData } from '@parley/contract'
import { IconDownload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useProblemWords } from '../session/problem-words.ts'
import { usePerson } from '../session/session.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { Section } from '../ui/Section.tsx'
import { saveFile } from '../ui/save-file.ts'
import { showToast } from '../ui/toast.ts'
import styles from './OwnDataSection.module.css'
import { useClearSession } from './use-clear-session.ts'

/** Rarely opened, so its code is loaded on demand. */
const DeleteAccountDialog = lazy(async () => ({
  default: (await import('./DeleteAccountDialog.tsx')).DeleteAccountDialog,
}))

const formats = [
  { format: 'json', mediaType: 'application/json' },
  { format: 'ics', mediaType: 'text/calendar' },
] as const
type Format = (typeof formats)[number]

/** Export the account's data, or delete the account. */
export function OwnDataSection() {
  const { t } = useTranslation('security')
  const problemWords = useProblemWords()
  const person = usePerson()
  const clearSession = useClearSession()
  const [deleting, setDeleting] = useState(false)
  const download = useMutation({
    mutationFn: ({ format }: Format) => client.call(exportOwnData, { query: { format } }),
    onSuccess: (text, { format, mediaType }) => saveFile(text, `parley.${format}`, mediaType),
    onError: (error) => showToast({ kind: 'problem', message: problemWords(error) }),
  })
  return (
    <Section title={t('data.title')}>
      <Text c="dimmed" mb="sm">
        {t('data.explanation')}
      </Text>
      <Group gap="sm">
        {formats.map((one) => (
          <Button
            key={one.format}
            variant="default"
            size="sm"
            classNames={{ root: styles.command, label: styles.label }}
            leftSection={<IconDownload size={18} aria-hidden />}
            loading={download.isPending && download.variables.format === one.format}
            onClick={() => download.mutate(one)}
          >
            {t(`data.${one.format}`)}
          </Button>
        ))}
        <Button variant="default" size="sm" c="var(--parley-danger)" onClick={() => setDeleting(true)}>
          {t('data.delete.begin')}
        </Button>
      </Group>
      {deleting && (
        <Suspense>
          <DeleteAccountDialog account={person} own onDeleted={clearSession} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </Section>
  )
}

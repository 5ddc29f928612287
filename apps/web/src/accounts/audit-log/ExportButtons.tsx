import { Button } from '@mantine/core'
import { exportAuditLog } from '@parley/contract'
import { IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { useProblemWords } from '../../session/problem-words.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { saveFile } from '../../ui/save-file.ts'
import { showToast } from '../../ui/toast.ts'
import { auditLogKey } from './audit-query.ts'
import { type AuditSearch, auditFilters } from './audit-search.ts'

const formats = [
  { format: 'csv', mediaType: 'text/csv' },
  { format: 'ndjson', mediaType: 'application/x-ndjson' },
] as const
type Format = (typeof formats)[number]

/** Export the filtered entries. The page fetches the file itself, so that it can show an error. */
export function ExportButtons({ search }: { search: AuditSearch }) {
  const { t } = useTranslation('administration')
  const problemWords = useProblemWords()
  const queryClient = useQueryClient()
  const download = useMutation({
    mutationFn: ({ format }: Format) => client.call(exportAuditLog, { query: { format, ...auditFilters(search) } }),
    onSuccess: (text, { format, mediaType }) => {
      saveFile(text, `audit-log.${format}`, mediaType)
      // The export is an entry of the log as well.
      return queryClient.invalidateQueries({ queryKey: auditLogKey })
    },
    onError: (error) => showToast({ kind: 'problem', message: problemWords(error) }),
  })
  return formats.map((one) => (
    <Button
      key={one.format}
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={download.isPending && download.variables.format === one.format}
      onClick={() => download.mutate(one)}
    >
      {t(`log.export.${one.format}`)}
    </Button>
  ))
}

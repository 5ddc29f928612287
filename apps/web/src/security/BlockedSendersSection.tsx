import { Button, Stack, Text } from '@mantine/core'
import { listBlockedSenders, unblockSender } from '@parley/contract'
import { IconUserOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail } from '../session/session.ts'
import { useDateFormat } from '../ui/hooks/use-date-format.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'

/** The hosts whose meetings the person does not get. */
export function BlockedSendersSection() {
  const { t } = useTranslation('security')
  const { mail } = useMail()
  const { moment } = useDateFormat()
  const queryClient = useQueryClient()
  const { data, error } = useQuery({
    // Under ['meetings']: the meeting page blocks, and invalidates these.
    queryKey: ['meetings', 'blocked-senders'],
    queryFn: async () => (await client.call(listBlockedSenders)).blockedSenders,
  })
  const unblocking = useMutation({
    mutationFn: ({ userId }: { userId: string; name: string }) => client.call(unblockSender, { params: { userId } }),
    onSuccess: async (_, { name }) => {
      await queryClient.invalidateQueries({ queryKey: ['meetings'] })
      showToast({ message: t(`blockedSenders.unblocked.${mail}`, { name }) })
    },
  })
  return (
    <Section title={t('blockedSenders.title')}>
      <ProblemAlert error={error ?? unblocking.error} />
      {data === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={1} />
        </Stack>
      )}
      {data?.length === 0 && <Text c="dimmed">{t('blockedSenders.none')}</Text>}
      {data !== undefined && data.length > 0 && (
        <Rows label={t('blockedSenders.title')}>
          {data.map(({ userId, name: first, lname, email, blockedOn }) => {
            const name = `${first} ${lname}`.trim()
            return (
              <Row
                key={userId}
                icon={<IconUserOff size={20} />}
                name={name}
                details={[email, t('blockedSenders.since', { moment: moment(blockedOn) })]}
                actions={
                  <Button
                    variant="default"
                    size="xs"
                    loading={unblocking.isPending && unblocking.variables.userId === userId}
                    aria-label={t('blockedSenders.unblockNamed', { name })}
                    onClick={() => unblocking.mutate({ userId, name })}
                  >
                    {t('blockedSenders.unblock')}
                  </Button>
                }
              />
            )
          })}
        </Rows>
      )}
    </Section>
  )
}

import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { type EventType, eventTypeNames, sendTestEvent } from '@parley/contract'
import { IconSend } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { Section } from '../../ui/Section.tsx'
import { showToast } from '../../ui/toast.ts'
import { deliveriesKey } from '../webhook-queries.ts'

type SendTestProps = { webhookId: string; onSent(eventId: string): void }

const plainTest: EventType = 'webhook.test'
const types = [plainTest, ...eventTypeNames.filter((type) => type !== plainTest)]

/** Send the sample of a type, to try the receiver. */
export function SendTest({ webhookId, onSent }: SendTestProps) {
  const { t } = useTranslation(['webhooks', 'app'])
  const queryClient = useQueryClient()
  const [type, setType] = useState<EventType>(plainTest)
  const sending = useMutation({
    mutationFn: () => client.call(sendTestEvent, { params: { webhookId }, body: { type } }),
    onSuccess: async ({ eventId }) => {
      showToast({ message: t('test.sent') })
      onSent(eventId)
      await queryClient.invalidateQueries({ queryKey: deliveriesKey(webhookId) })
    },
  })
  return (
    <Section title={t('test.title')}>
      <ProblemAlert error={sending.error} />
      <Text size="sm" c="dimmed" mb="sm">
        {t('test.explanation')}
      </Text>
      <Group gap="sm" align="flex-end">
        <NativeSelect
          flex="1 1 14rem"
          maw="24rem"
          label={t('test.type')}
          dir="ltr"
          value={type}
          data={types}
          onChange={({ currentTarget: { value } }) => setType(types.find((one) => one === value) ?? plainTest)}
        />
        <Button
          leftSection={<IconSend size={18} aria-hidden />}
          loading={sending.isPending}
          onClick={() => sending.mutate()}
        >
          {t('test.send')}
        </Button>
      </Group>
    </Section>
  )
}

import { ActionIcon, Button, Group, Text, Textarea, Tooltip } from '@mantine/core'
import type { App, TesterState } from '@parley/contract'
import { maxTesters } from '@parley/rules/oauth-apps/app-limits'
import { IconTrash, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail } from '../session/session.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { Mark, type Tone } from '../ui/Mark.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { EmptyState } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import classes from './AppPage.module.css'
import { useReplaceTesters } from './app-mutations.ts'
import { testersQuery } from './app-queries.ts'
import { addAddresses } from './tester-addresses.ts'

const stateTones = { pending: 'neutral', accepted: 'good', declined: 'caution' } as const satisfies Record<
  TesterState,
  Tone
>

/** The accounts besides the owner's that may use the sandbox, and their answers. */
export function Testers({ app: { _id: appId } }: { app: App }) {
  const { t } = useTranslation(['apps', 'app'])
  const { mail } = useMail()
  const { data: testers, error } = useQuery(testersQuery(appId))
  const [typed, setTyped] = useState('')
  const [violation, setViolation] = useState<string>()
  const change = useReplaceTesters(appId)
  if (testers === undefined) return error === null ? <RowSkeletons rows={4} /> : <ProblemAlert error={error} />

  const emails = testers.map(({ email }) => email)
  const add = (event: FormEvent) => {
    event.preventDefault()
    const added = addAddresses(emails, typed)
    if (added.kind === 'added') return change.mutate(added.testers, { onSuccess: () => setTyped('') })
    setViolation(
      added.kind === 'wrong'
        ? t('testers.wrong', { address: added.address })
        : t(`testers.${added.kind}`, { most: maxTesters }),
    )
    focusFirstInvalid()
  }
  const remove = (email: string) =>
    change.mutate(
      emails.filter((one) => one !== email),
      {
        onSuccess: () => showToast({ message: t('testers.removed', { email }), undo: () => change.mutate(emails) }),
      },
    )
  return (
    <Section title={t('app.views.testers')}>
      <Text mb="md">{t(`testers.explanation.${mail}`, { most: maxTesters })}</Text>
      <ProblemAlert error={change.error} />
      <form noValidate onSubmit={add}>
        <Textarea
          label={t('testers.add')}
          description={t('testers.addHint')}
          dir="ltr"
          rows={3}
          value={typed}
          error={violation}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value)
            setViolation(undefined)
          }}
        />
        <Button type="submit" variant="default" mt="sm" mb="md" loading={change.isPending}>
          {t('testers.addNow')}
        </Button>
      </form>
      <Text role="status" size="sm" c="dimmed" mb="xs">
        {t('app:numberOf', { number: testers.length, total: maxTesters })}
      </Text>
      {testers.length === 0 ? (
        <EmptyState
          icon={<IconUsers size={40} />}
          title={t('testers.none')}
          explanation={t('testers.noneExplanation')}
        />
      ) : (
        <ul className={classes.rows}>
          {testers.map(({ email, state }) => (
            <li key={email}>
              <Group justify="space-between" wrap="nowrap">
                <Group gap="xs">
                  <bdi>{email}</bdi>
                  <Mark tone={stateTones[state]}>{t(`testers.states.${state}`)}</Mark>
                </Group>
                <Tooltip label={t('app:removeAddress', { address: email })}>
                  <ActionIcon
                    variant="default"
                    aria-label={t('app:removeAddress', { address: email })}
                    onClick={() => remove(email)}
                  >
                    <IconTrash size={18} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

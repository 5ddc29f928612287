import { Button, Group, Menu, Progress, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { AccountInvitation } from '@parley/contract'
import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addressOf, readAddressList, wrongAddresses } from '../meetings/schedule/address-list.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useProblemWords } from '../session/problem-words.ts'
import { useMail } from '../session/session.ts'
import { useDates } from '../texts/dates.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { ColumnHead, DataTable, MainCell, QuietCell, TableMenu } from '../ui/DataTable.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { Modal } from '../ui/Modal.tsx'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import { type InvitationOutcome, useInviteAccounts, useRevokeInvitation } from './account-mutations.ts'
import { accountInvitationsQuery } from './account-queries.ts'

/** One request each: a company of this size is invited in half a minute, and what was refused is named. */
const maxAddresses = 300

/** Mail sign-up links; where no email leaves the service, show them to the administrator. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['administration', 'app', 'accounts'])
  const { mail } = useMail()
  useReturnFocus()
  const [done, setDone] = useState(0)
  const [outcomes, setOutcomes] = useState<readonly InvitationOutcome[]>([])
  const form = useForm({
    initialValues: { addresses: '' },
    validate: {
      addresses: (text) => {
        const addresses = addressesIn(text)
        if (addresses.length > maxAddresses) {
          return t('administration:invite.tooMany', { max: maxAddresses, number: addresses.length })
        }
        const [wrong] = wrongAddresses(addresses)
        if (addresses.length > 0 && wrong === undefined) return null
        return addresses.length > 1 ? `${wrong}: ${t('accounts:emailInvalid')}` : t('accounts:emailInvalid')
      },
    },
  })
  const failed = outcomes.filter(({ error }) => error !== undefined)
  const links = outcomes.flatMap(({ email, link }) => (link === undefined ? [] : [{ email, link }]))
  const invite = useInviteAccounts(setDone, {
    onSaved: (all) => {
      const invited = all.filter(({ error }) => error === undefined)
      setOutcomes((earlier) => [...earlier.filter(({ link }) => link !== undefined), ...all])
      form.setFieldValue(
        'addresses',
        all.flatMap(({ email, error }) => (error === undefined ? [] : [email])).join('\n'),
      )
      const [first] = invited
      if (first === undefined || invited.some(({ link }) => link !== undefined)) return
      const message =
        invited.length === 1
          ? t(`administration:invite.asked.${mail}`, { email: first.email })
          : t(`administration:invite.askedMany.${mail}`, { number: invited.length })
      showToast({ message })
      if (invited.length === all.length) onClose()
    },
  })
  const count = addressesIn(form.values.addresses).length
  return (
    <Modal
      opened
      title={t('administration:invite.title')}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <Stack gap="md">
        {links.length > 0 && (
          <>
            <Text>
              {t(links.length === 1 ? 'administration:invite.link' : 'administration:invite.links', {
                email: links[0]?.email ?? '',
              })}
            </Text>
            {links.map(({ email, link }) => (
              <CopyField key={email} label={links.length === 1 ? t('app:link') : email} value={link} />
            ))}
          </>
        )}
        {links.length > 0 && failed.length === 0 ? (
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('app:close')}
            </Button>
          </Group>
        ) : (
          <form
            noValidate
            onSubmit={form.onSubmit(({ addresses }) => {
              setDone(0)
              invite.mutate(addressesIn(addresses))
            }, focusFirstInvalid)}
          >
            <Failures failed={failed} />
            <Text mb="md">{t(`administration:invite.explanation.${mail}`)}</Text>
            <Textarea
              label={t('administration:invite.addresses')}
              description={t('administration:invite.hint', { max: maxAddresses })}
              required
              data-autofocus
              autosize
              minRows={3}
              maxRows={10}
              dir="ltr"
              readOnly={invite.isPending}
              {...form.getInputProps('addresses')}
            />
            {invite.isPending && count > 1 && (
              <Stack gap="xs" mt="md" role="status">
                <Text size="sm">{t('app:numberOf', { number: done, total: count })}</Text>
                <Progress value={(100 * done) / count} aria-label={t('administration:invite.title')} />
              </Stack>
            )}
            <Group justify="flex-end" mt="lg">
              <Button variant="default" onClick={onClose}>
                {t('app:cancel')}
              </Button>
              <Button type="submit" loading={invite.isPending}>
                {t(`administration:invite.send.${mail}`)}
              </Button>
            </Group>
          </form>
        )}
      </Stack>
    </Modal>
  )
}

/** Invited people give their names themselves. */
const addressesIn = (text: string): string[] => readAddressList(text).map(addressOf)

/** The refused addresses, which stand in the form again, each with its reason. */
function Failures({ failed }: { failed: readonly InvitationOutcome[] }) {
  const { t } = useTranslation('administration')
  const problemWords = useProblemWords()
  if (failed.length === 0) return null
  if (failed.length === 1) return <ProblemAlert error={failed[0]?.error ?? null} />
  const reasons = Map.groupBy(failed, ({ error }) => problemWords(error))
  return (
    <Stack gap="xs" mb="md" role="alert">
      <Text fw={600}>{t('invite.failed', { number: failed.length })}</Text>
      {[...reasons].map(([reason, of]) => (
        <Text key={reason} size="sm">
          {reason} {of.map(({ email }) => email).join(', ')}
        </Text>
      ))}
    </Stack>
  )
}

/** Invitations that wait, with a new link or an end for each; nothing when there are none. */
export function WaitingInvitations() {
  const { t } = useTranslation(['administration', 'app'])
  const { t: signInText } = useTranslation('sign-in')
  const { data, error } = useQuery(accountInvitationsQuery)
  if (error !== null) return <ProblemAlert error={error} />
  if (data === undefined || data.invitations.length === 0) return null
  return (
    <Section title={t('invite.waiting')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('invite.waitingCount', { number: data.totalCount })}
      </Text>
      <DataTable
        label={t('invite.waiting')}
        menuHead={t('app:change')}
        head={
          <>
            <ColumnHead>{signInText('email')}</ColumnHead>
            <ColumnHead from="tablet">{t('invite.by')}</ColumnHead>
            <ColumnHead from="tablet" width="day">
              {t('invite.until')}
            </ColumnHead>
          </>
        }
      >
        {data.invitations.map((invitation) => (
          <WaitingInvitation key={invitation._id} invitation={invitation} />
        ))}
      </DataTable>
    </Section>
  )
}

function WaitingInvitation({ invitation }: { invitation: AccountInvitation }) {
  const { t } = useTranslation(['administration', 'app'])
  const { shortDate } = useDates()
  const { mailIsSent, mail } = useMail()
  const problemWords = useProblemWords()
  const { email, invitedBy, expiresOn } = invitation
  const onError = (error: Error) => showToast({ kind: 'problem', message: problemWords(error) })
  const again = useInviteAccounts(() => {}, {
    onSaved: ([outcome]) => {
      if (outcome?.error !== undefined) return onError(outcome.error)
      showToast({ message: t(`invite.asked.${mail}`, { email }) })
    },
  })
  const revoke = useRevokeInvitation({
    onSaved: () => showToast({ message: t('invite.revoked', { email }) }),
    onError,
  })
  return (
    <tr>
      <MainCell
        picture={<IconMail size={20} />}
        name={email}
        below={
          <>
            <bdi>{invitedBy}</bdi> · {t('invite.until')}: {shortDate(expiresOn)}
          </>
        }
      />
      <QuietCell from="tablet">
        <bdi>{invitedBy}</bdi>
      </QuietCell>
      <QuietCell from="tablet">{shortDate(expiresOn)}</QuietCell>
      <td data-menu>
        <TableMenu label={t('accounts.changeNamed', { name: email })} loading={again.isPending || revoke.isPending}>
          {mailIsSent && <Menu.Item onClick={() => again.mutate([email])}>{t('app:sendAgain')}</Menu.Item>}
          <Menu.Item color="red" onClick={() => revoke.mutate(invitation)}>
            {t('invite.revoke')}
          </Menu.Item>
        </TableMenu>
      </td>
    </tr>
  )
}

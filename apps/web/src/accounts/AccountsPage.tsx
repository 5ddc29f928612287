import { Button, CloseButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedCallback } from '@mantine/hooks'
import { inviteAccount } from '@parley/contract'
import { isEmailAddress } from '@parley/rules/text/email-address'
import { IconSearch, IconUserPlus, IconUserSearch } from '@tabler/icons-react'
import { useInfiniteQuery, usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { serviceQuery, useMail } from '../session/session.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { EmptyState, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import { AccountRow } from './AccountRow.tsx'
import { accountsQuery, oauthRequestsQuery } from './account-queries.ts'
import { readAccountSearch } from './account-search.ts'
import { OauthRequests } from './OauthRequests.tsx'

/** Delay between the last keystroke and the search. */
const pauseMs = 300

/** The organisation's accounts: their rights, their requests for OAuth, and open invitations. */
export function AccountsPage() {
  const { t } = useTranslation(['administration', 'app'])
  const { data: service } = useQuery(serviceQuery)
  const { q = '' } = useSearch({ from: '/signed-in/administration/accounts' })
  const [inviting, setInviting] = useState(false)
  // Render the requests and the list below them together, to avoid a layout shift.
  const { isPending } = useQuery(oauthRequestsQuery)
  usePrefetchInfiniteQuery(accountsQuery(q))
  const invite = (
    <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={() => setInviting(true)}>
      {t('invite.title')}
    </Button>
  )
  return (
    <Page title={t('app:navigation.pages.accounts')} actions={service?.signUp === 'closed' ? undefined : invite}>
      {isPending ? (
        <Stack aria-busy="true">
          <RowSkeletons rows={6} />
        </Stack>
      ) : (
        <Stack gap="lg">
          <OauthRequests />
          <AccountList words={q} />
        </Stack>
      )}
      {inviting && <InviteAccountDialog onClose={() => setInviting(false)} />}
    </Page>
  )
}

function AccountList({ words }: { words: string }) {
  const { t } = useTranslation(['administration', 'app'])
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(accountsQuery(words))
  const accounts = data?.pages.flatMap((page) => page.accounts)
  return (
    <Section title={t('app:everyone')}>
      <AccountSearchField words={words} />
      <ProblemAlert error={error} />
      <Text role="status" size="sm" c="dimmed" mb="xs">
        {data !== undefined && t('accounts.count', { number: data.pages[0]?.totalCount ?? 0 })}
      </Text>
      {accounts === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={5} />
        </Stack>
      )}
      {accounts?.length === 0 && (
        <EmptyState
          icon={<IconUserSearch size={40} />}
          title={t('accounts.noMatch')}
          explanation={t('accounts.noMatchExplanation')}
        />
      )}
      {accounts !== undefined && accounts.length > 0 && (
        <Rows label={t('app:everyone')}>
          {accounts.map((account) => (
            <AccountRow key={account._id} account={account} />
          ))}
        </Rows>
      )}
      {hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t('app:showMore')}
          </Button>
        </Group>
      )}
    </Section>
  )
}

function AccountSearchField({ words }: { words: string }) {
  const { t } = useTranslation(['administration', 'app'])
  const navigate = useNavigate({ from: '/administration/accounts' })
  const [typed, setTyped] = useState(words)
  useEffect(() => setTyped(words), [words])
  const search = (q: string) => void navigate({ search: readAccountSearch({ q }), replace: true })
  const searchSoon = useDebouncedCallback(search, pauseMs)
  return (
    <search>
      <TextInput
        type="search"
        label={t('accounts.search')}
        mb="sm"
        maxLength={250}
        value={typed}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={
          typed === '' ? null : <CloseButton size="sm" aria-label={t('app:clearSearch')} onClick={() => search('')} />
        }
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          searchSoon(value)
        }}
      />
    </search>
  )
}

/** Mail a sign-up link; where no email leaves the service, show it to the administrator. */
function InviteAccountDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['administration', 'app', 'accounts'])
  const { mail } = useMail()
  const { t: signInText } = useTranslation('sign-in')
  useReturnFocus()
  const fieldErrors = useFieldErrors()
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: (email) => (isEmailAddress(email.trim()) ? null : t('accounts:emailInvalid')) },
  })
  const invite = useMutation({
    mutationFn: (email: string) => client.call(inviteAccount, { body: { email } }),
    onSuccess: ({ link }, email) => {
      if (link !== undefined) return
      showToast({ message: t(`administration:invite.asked.${mail}`, { email }) })
      onClose()
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error))
      focusFirstInvalid()
    },
  })
  const link = invite.data?.link
  return (
    <Modal
      opened
      title={t('administration:invite.title')}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      {link !== undefined ? (
        <Stack gap="md">
          <Text>{t('administration:invite.link', { email: invite.variables ?? '' })}</Text>
          <CopyField label={t('app:link')} value={link} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('app:close')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <form noValidate onSubmit={form.onSubmit(({ email }) => invite.mutate(email.trim()), focusFirstInvalid)}>
          <ProblemAlert error={invite.error} />
          <Text mb="md">{t(`administration:invite.explanation.${mail}`)}</Text>
          <TextInput
            type="email"
            label={signInText('email')}
            required
            data-autofocus
            dir="ltr"
            {...form.getInputProps('email')}
          />
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
    </Modal>
  )
}

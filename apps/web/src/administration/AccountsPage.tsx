import { Button, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconUserPlus, IconUserSearch } from '@tabler/icons-react'
import { useInfiniteQuery, usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { serviceQuery } from '../session/session.ts'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { EmptyState, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { AccountRow } from './AccountRow.tsx'
import { accountInvitationsQuery, accountsQuery, oauthRequestsQuery } from './account-queries.ts'
import { readAccountSearch } from './account-search.ts'
import { InviteDialog, WaitingInvitations } from './Invitations.tsx'
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
  const requests = useQuery(oauthRequestsQuery)
  const invitations = useQuery(accountInvitationsQuery)
  const isPending = requests.isPending || invitations.isPending
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
          <WaitingInvitations />
          <AccountList words={q} />
        </Stack>
      )}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
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

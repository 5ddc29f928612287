import { Button, CloseButton, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type AccountKind, type AccountSort, accountKinds } from '@parley/contract'
import { IconSearch, IconUserPlus, IconUserSearch } from '@tabler/icons-react'
import { useInfiniteQuery, usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { serviceQuery } from '../session/session.ts'
import { ColumnHead, DataTable, type Order, SortField } from '../ui/DataTable.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { EmptyState } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { AccountRow } from './AccountRow.tsx'
import { accountInvitationsQuery, accountsQuery, oauthRequestsQuery } from './account-queries.ts'
import { type AccountSearch, readAccountSearch, sortAccountsBy } from './account-search.ts'
import { InviteDialog, WaitingInvitations } from './Invitations.tsx'
import { OauthRequests } from './OauthRequests.tsx'

/** Delay between the last keystroke and the search. */
const pauseMs = 300

/** The organisation's accounts: their rights, their requests for OAuth, and open invitations. */
export function AccountsPage() {
  const { t } = useTranslation(['administration', 'app'])
  const { data: service } = useQuery(serviceQuery)
  const search = useSearch({ from: '/signed-in/administration/accounts' })
  const [inviting, setInviting] = useState(false)
  // Render the requests and the list below them together, to avoid a layout shift.
  const requests = useQuery(oauthRequestsQuery)
  const invitations = useQuery(accountInvitationsQuery)
  const isPending = requests.isPending || invitations.isPending
  usePrefetchInfiniteQuery(accountsQuery(search))
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
          <AccountList search={search} />
        </Stack>
      )}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  )
}

function AccountList({ search }: { search: AccountSearch }) {
  const { t } = useTranslation(['administration', 'app'])
  const navigate = useNavigate({ from: '/administration/accounts' })
  const narrow = (to: AccountSearch) => void navigate({ search: readAccountSearch(to), replace: true })
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(accountsQuery(search))
  const accounts = data?.pages.flatMap((page) => page.accounts)
  return (
    <Section title={t('app:everyone')}>
      <Group component="search" gap="sm" align="flex-end" mb="sm">
        <AccountSearchField words={search.q ?? ''} onSearch={(q) => narrow({ ...search, q })} />
        <KindField search={search} onChange={narrow} />
        <SortField
          label={t('app:sortBy')}
          value={search.sort ?? 'createdOn'}
          names={{
            createdOn: t('accounts.createdOn'),
            name: t('app:name'),
            lastSeenOn: t('accounts.lastSeenOn'),
            meetings: t('app:navigation.pages.meetings'),
          }}
          onChange={(by) => narrow(sortAccountsBy(search, by))}
          direction={{ order: search.order ?? 'asc', reverse: t('app:reverseOrder') }}
        />
      </Group>
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
        <DataTable
          label={t('app:everyone')}
          menuHead={t('app:change')}
          head={<AccountColumns search={search} onChange={narrow} />}
        >
          {accounts.map((account) => (
            <AccountRow key={account._id} account={account} />
          ))}
        </DataTable>
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

type SearchProps = { search: AccountSearch; onChange(search: AccountSearch): void }

function AccountColumns({ search, onChange }: SearchProps) {
  const { t } = useTranslation(['administration', 'app'])
  const { t: signInText } = useTranslation('sign-in')
  const sort = search.sort ?? 'createdOn'
  const order: Order = search.order ?? 'asc'
  const by = (column: AccountSort) => ({
    order: sort === column ? order : undefined,
    onSort: () => onChange(sortAccountsBy(search, column)),
  })
  return (
    <>
      <ColumnHead sort={by('name')}>{t('app:name')}</ColumnHead>
      <ColumnHead from="tablet">{signInText('email')}</ColumnHead>
      <ColumnHead from="tablet" width="day" sort={by('lastSeenOn')}>
        {t('accounts.lastSeenOn')}
      </ColumnHead>
      <ColumnHead from="desktop" numeric sort={by('meetings')}>
        {t('app:navigation.pages.meetings')}
      </ColumnHead>
      <ColumnHead from="desktop" width="day" sort={by('createdOn')}>
        {t('accounts.createdOn')}
      </ColumnHead>
    </>
  )
}

/** Filter by a right or a state. */
function KindField({ search, onChange }: SearchProps) {
  const { t } = useTranslation(['administration', 'app'])
  const nameOf = (kind: AccountKind) =>
    kind === 'disabled' || kind === 'unconfirmed' ? t(`accounts.${kind}`) : t(`rights.${kind}.name`)
  return (
    <NativeSelect
      label={t('accounts.show')}
      flex="1 1 7rem"
      maw="12rem"
      value={search.only ?? ''}
      data={[
        { value: '', label: t('app:everyone') },
        ...accountKinds.map((value) => ({ value, label: nameOf(value) })),
      ]}
      onChange={({ currentTarget: { value } }) => onChange(readAccountSearch({ ...search, only: value }))}
    />
  )
}

type AccountSearchFieldProps = { words: string; onSearch(words: string): void }

function AccountSearchField({ words, onSearch }: AccountSearchFieldProps) {
  const { t } = useTranslation(['administration', 'app'])
  const [typed, setTyped] = useState(words)
  useEffect(() => setTyped(words), [words])
  const searchSoon = useDebouncedCallback(onSearch, pauseMs)
  return (
    <TextInput
      type="search"
      label={t('accounts.search')}
      flex="1 1 14rem"
      maxLength={250}
      value={typed}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={
        typed === '' ? null : <CloseButton size="sm" aria-label={t('app:clearSearch')} onClick={() => onSearch('')} />
      }
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        searchSoon(value)
      }}
    />
  )
}

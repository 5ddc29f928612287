import { Anchor, Button, Stack, Text, Textarea } from '@mantine/core'
import type { App, ReplyOf, readOauthAccess } from '@parley/contract'
import { IconExternalLink, IconPlus, IconPuzzle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDates } from '../texts/dates.ts'
import { ColumnHead, DataTable, hiddenBefore, MainCell, mainLinkClass, QuietCell } from '../ui/DataTable.tsx'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { EmptyState } from '../ui/Rows.tsx'
import classes from '../ui/Section.module.css'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import { AppStatus } from './AppStatus.tsx'
import { useRequestOauthAccess } from './app-mutations.ts'
import { accessQuery, appsQuery } from './app-queries.ts'

/** The developer's start page: their apps, or how to request access. */
export function DevelopersPage() {
  const { t } = useTranslation(['apps', 'app'])
  const { data: access, error: accessError } = useQuery(accessQuery)
  const isEnabled = access?.status === 'enabled'
  const { data: apps, error: appsError } = useQuery({ ...appsQuery, enabled: isEnabled })
  const error = accessError ?? appsError
  const needsAccess = access !== undefined && !isEnabled
  const before = useRef(access?.status)
  useEffect(() => {
    if (before.current === 'requested' && isEnabled) showToast({ message: t('ask.enabled') })
    before.current = access?.status
  }, [access?.status, isEnabled, t])
  const newApp = (
    <Button component={Link} to="/developers/new" leftSection={<IconPlus size={18} aria-hidden />}>
      {t('list.new')}
    </Button>
  )
  return (
    <Page
      title={t('app:navigation.pages.ownApps')}
      caption={
        <>
          {t('list.explanation')}{' '}
          <Anchor href="/docs/oauth" target="_blank" inherit underline="always">
            {t('app:documentation')} <IconExternalLink size={14} aria-hidden />
          </Anchor>
          {' · '}
          <Anchor href="/reference" target="_blank" inherit underline="always">
            {t('list.reference')} <IconExternalLink size={14} aria-hidden />
          </Anchor>
        </>
      }
      actions={isEnabled && apps !== undefined && apps.length > 0 ? newApp : undefined}
    >
      {needsAccess && <RequestOauthAccess access={access} />}
      <ProblemAlert error={error} />
      {apps === undefined && error === null && !needsAccess && (
        <Stack aria-busy="true">
          <RowSkeletons rows={3} />
        </Stack>
      )}
      {isEnabled && apps?.length === 0 && (
        <EmptyState
          icon={<IconPuzzle size={40} />}
          title={t('list.none')}
          explanation={t('list.noneExplanation')}
          action={newApp}
        />
      )}
      {isEnabled && apps !== undefined && apps.length > 0 && <AppList apps={apps} />}
    </Page>
  )
}

/** The account's apps with their status. */
function AppList({ apps }: { apps: readonly App[] }) {
  const { t } = useTranslation(['apps', 'app'])
  const { shortDate } = useDates()
  return (
    <div className={classes.section}>
      <DataTable
        label={t('app:navigation.pages.ownApps')}
        head={
          <>
            <ColumnHead>{t('app:name')}</ColumnHead>
            <ColumnHead from="tablet" width="marks">
              {t('statusSummary.title')}
            </ColumnHead>
            <ColumnHead from="tablet" width="day">
              {t('changed')}
            </ColumnHead>
          </>
        }
      >
        {apps.map((app) => (
          <tr key={app._id}>
            <MainCell
              picture={<IconPuzzle size={20} />}
              name={
                <Link to="/developers/$appId" params={{ appId: app._id }} className={mainLinkClass}>
                  {app.name}
                </Link>
              }
              below={
                <>
                  <AppStatus app={app} /> · {shortDate(app.modifiedOn)}
                </>
              }
            />
            <td {...hiddenBefore('tablet')}>
              <AppStatus app={app} />
            </td>
            <QuietCell from="tablet">
              <time dateTime={app.modifiedOn}>{shortDate(app.modifiedOn)}</time>
            </QuietCell>
          </tr>
        ))}
      </DataTable>
    </div>
  )
}

/** The API's limit. */
const maxReasonLength = 1_000

/** OAuth is in Beta and enabled per account: the developer gives a reason, and an administrator decides. */
function RequestOauthAccess({ access }: { access: ReplyOf<typeof readOauthAccess> }) {
  const { t } = useTranslation(['apps', 'violations', 'app'])
  const dates = useDates()
  const fieldErrors = useFieldErrors()
  const [reason, setReason] = useState('')
  const [violation, setViolation] = useState<string>()
  const attempt = useRequestOauthAccess({
    onSaved: () => setReason(''),
    onError: (error) => {
      setViolation(fieldErrors(error).reason)
      focusFirstInvalid()
    },
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') return attempt.mutate({ reason: reason.trim() })
    setViolation(t('violations:required'))
    focusFirstInvalid()
  }
  const { status, requestedOn, declinedOn, declineReason } = access
  const writtenDay = (moment: string | null) => (moment === null ? '' : dates.date(moment))
  const isRequested = status === 'requested'
  const [title, message] =
    status === 'declined'
      ? [t('ask.declinedTitle'), t('ask.declined', { day: writtenDay(declinedOn) })]
      : isRequested
        ? [t('ask.askedTitle'), t('ask.asked', { day: writtenDay(requestedOn) })]
        : [t('ask.title'), t('ask.explanation')]
  return (
    <Section title={title}>
      <div role="status">
        <Text mb="md">{message}</Text>
        {status === 'declined' && declineReason !== '' && (
          <Text mb="md" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {t('app:reason', { reason: declineReason })}
          </Text>
        )}
      </div>
      <ProblemAlert error={attempt.error} />
      <form noValidate onSubmit={send}>
        <Textarea
          label={isRequested ? t('ask.reasonAgain') : t('ask.reason')}
          description={t('ask.reasonHint')}
          value={reason}
          error={violation}
          maxLength={maxReasonLength}
          rows={3}
          mb="md"
          required
          onChange={({ currentTarget: { value } }) => {
            setReason(value)
            setViolation(undefined)
          }}
        />
        <Button type="submit" variant={isRequested ? 'default' : 'filled'} loading={attempt.isPending}>
          {status !== 'none' ? t('ask.again') : t('ask.send')}
        </Button>
      </form>
    </Section>
  )
}

import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core'
import type { CheckResult } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppFacts } from '../apps/AppFacts.tsx'
import { fieldWords } from '../apps/app-words.ts'
import { newCallback } from '../apps/form/app-values.ts'
import { ConsentPreview } from '../apps/form/ConsentPreview.tsx'
import { scopesQuery, useScopeWords } from '../connected-apps/scope-words.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { usePerson } from '../session/session.ts'
import { useDates } from '../texts/dates.ts'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { Mark } from '../ui/Mark.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Section } from '../ui/Section.tsx'
import { DecisionBar } from './DecisionBar.tsx'
import { Differences } from './Differences.tsx'
import classes from './Review.module.css'
import { ReviewHistory } from './ReviewHistory.tsx'
import { ReviewDueBadge, ReviewMark } from './ReviewMark.tsx'
import { type Review, reviewQuery, reviewStatusOf, useClientName } from './review-queries.ts'

/** One app for its reviewer; another app remounts the page. */
export function ReviewPage() {
  const { appId } = useParams({ from: '/signed-in/reviews/$appId' })
  return <ReviewOf key={appId} appId={appId} />
}

function ReviewOf({ appId }: { appId: string }) {
  const { t } = useTranslation('reviews')
  const { data: review, error, isFetching } = useQuery(reviewQuery(appId))
  const { data: scopes = [] } = useQuery(scopesQuery)
  const [overtaken, setOvertaken] = useState<unknown>(null)
  const showOvertaken = useCallback((found: unknown) => setOvertaken(found), [])
  const isRegistered = review?.registration === 'portal'
  const back = (
    <Button variant="default" component={Link} to="/reviews">
      {t('back')}
    </Button>
  )
  return (
    <Page title={review?.app.name ?? t('review')} actions={back}>
      <ProblemAlert error={error ?? overtaken} />
      {review === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={5} />
        </Stack>
      )}
      {review !== undefined && (
        <Stack gap="md" aria-busy={isFetching}>
          <ReviewSummary review={review} />
          {review.document !== undefined && review.clientHost !== undefined && (
            <MetadataDocument host={review.clientHost} document={review.document} />
          )}
          <CheckResults checks={review.checks} />
          {review.app.liveRevision !== null && (
            <Differences differences={review.differences} live={review.app.liveRevision} submitted={review.revision} />
          )}
          <Section title={t(review.app.liveRevision === null ? 'about.new' : 'about.whole')}>
            <AppFacts app={review.app} isRegistered={isRegistered} />
          </Section>
          {isRegistered && <DeveloperNotes app={review.app} />}
          {isRegistered && (
            <ConsentPreview
              values={{ ...review.app, callbackUrls: review.app.callbackUrls.map((url) => newCallback(url)) }}
              scopes={scopes}
              ownerName={review.app.shownOwner.name}
            />
          )}
          <ReviewHistory history={review.history} />
          <DecisionBar review={review} onOvertaken={showOvertaken} />
        </Stack>
      )}
    </Page>
  )
}

function ReviewSummary({ review }: { review: Review }) {
  const { app, owner, mayDecide, revision, submittedOn } = review
  const { t } = useTranslation('reviews')
  const person = usePerson()
  const clientName = useClientName()
  const { dateTime } = useDates()
  const status = reviewStatusOf({ app, revision })
  const waiting = status === 'under_review' && submittedOn !== null
  return (
    <>
      <Group gap="sm">
        <ReviewMark status={status} />
        {waiting && <ReviewDueBadge submittedOn={submittedOn} />}
        <Text c="dimmed">
          {t('revision', { revision })} ·{' '}
          {owner === undefined ? (
            <bdi>{clientName(review.clientHost)}</bdi>
          ) : (
            <>
              <bdi>{`${owner.name} ${owner.lname}`.trim()}</bdi> (<bdi>{owner.email}</bdi>)
            </>
          )}
          {submittedOn !== null && ` · ${t('submitted', { moment: dateTime(submittedOn) })}`}
        </Text>
      </Group>
      {owner?._id === person._id && (
        <Text role="note">
          <Mark tone="caution">{t('own.title')}</Mark> {t(mayDecide ? 'own.alone' : 'own.explanation')}
        </Text>
      )}
    </>
  )
}

type MetadataDocumentProps = { host: string; document: NonNullable<Review['document']> }

/** The document that a client publishes about itself: its host, which people rely on, its address and its text. */
function MetadataDocument({ host, document: { url, body, fetchedOn, failedOn, failure } }: MetadataDocumentProps) {
  const { t } = useTranslation('reviews')
  const { dateTime } = useDates()
  return (
    <Section title={t('client.document')}>
      <Text fw={700} size="xl" style={{ overflowWrap: 'anywhere' }}>
        <bdi dir="ltr">{host}</bdi>
      </Text>
      <Anchor
        href={url}
        target="_blank"
        rel="noopener noreferrer nofollow"
        size="sm"
        dir="ltr"
        style={{ overflowWrap: 'anywhere' }}
      >
        {url}
      </Anchor>
      <Text size="sm" c="dimmed" mb="sm">
        {t('client.fetched', { moment: dateTime(fetchedOn) })}
      </Text>
      {failedOn !== null && (
        <Text size="sm" mb="sm">
          <Mark tone="caution">{t('client.failed', { moment: dateTime(failedOn) })}</Mark>{' '}
          <bdi lang="en">{failure}</bdi>
        </Text>
      )}
      <CodeBlock label={t('client.document')} code={body} wraps />
    </Section>
  )
}

const tones = { passed: 'good', noted: 'caution', failed: 'danger', not_tried: 'neutral' } as const

/** The automatic checks: findings first, passed checks collapsed. */
function CheckResults({ checks }: { checks: readonly CheckResult[] }) {
  const { t } = useTranslation(['reviews', 'apps'])
  const by = (wanted: CheckResult['result']) => checks.filter(({ result }) => result === wanted)
  const passed = by('passed')
  const flags = [...by('failed'), ...by('noted'), ...by('not_tried')]
  return (
    <Section title={t('apps:checks.title')}>
      {flags.length === 0 && <Text>{t(checks.length === 0 ? 'checks.none' : 'checks.allPassed')}</Text>}
      <CheckList checks={flags} label={t('checks.flags')} />
      {passed.length > 0 && (
        <details className={classes.passed}>
          <summary>{t('checks.passed', { number: passed.length })}</summary>
          <CheckList checks={passed} label={t('apps:checks.title')} />
        </details>
      )}
    </Section>
  )
}

function CheckList({ checks, label }: { checks: readonly CheckResult[]; label: string }) {
  const { t } = useTranslation(['reviews', 'apps'])
  const { t: appWords } = useTranslation('apps')
  if (checks.length === 0) return null
  return (
    <ul className={classes.rows} aria-label={label}>
      {checks.map(({ check, field, result, message }) => (
        <li key={`${check} ${field} ${message}`} className={classes.check}>
          <Mark tone={tones[result]}>{t(`apps:checks.${result}`)}</Mark>
          <div>
            <Text fw={600} size="sm">
              {t(`reviews:checks.names.${check}` as 'reviews:checks.names.format', { defaultValue: check })}
              {field !== '' && ` (${fieldWords(field, appWords)})`}
            </Text>
            {/* The service writes findings in English. */}
            <Text size="sm" c="dimmed">
              <bdi lang="en">{message}</bdi>
            </Text>
          </div>
        </li>
      ))}
    </ul>
  )
}

type DeveloperNotesProps = { app: Pick<Review['app'], 'scopes' | 'scopeReasons' | 'reviewNotes'> }

/** The developer's notes for reviewers: how to test the app, and why it needs each scope. */
function DeveloperNotes({ app: { scopes, scopeReasons, reviewNotes } }: DeveloperNotesProps) {
  const { t } = useTranslation('reviews')
  const { t: appWords } = useTranslation('apps')
  const scopeWords = useScopeWords()
  const reasonByScope: Partial<Record<string, string>> = scopeReasons
  const reasons = scopes.flatMap((scope) => {
    const text = reasonByScope[scope]
    return text === undefined ? [] : [{ scope, text }]
  })
  return (
    <Section title={t('notes.title')}>
      {reasons.length === 0 && reviewNotes === '' && <Text c="dimmed">{t('notes.none')}</Text>}
      {reviewNotes !== '' && (
        <>
          <Text fw={600}>{appWords('field.reviewNotes')}</Text>
          <Text dir="auto" mb="sm" className={classes.written}>
            {reviewNotes}
          </Text>
        </>
      )}
      {reasons.length > 0 && (
        <>
          <Text fw={600}>{appWords('field.scopeReasons')}</Text>
          <List>
            {reasons.map(({ scope, text }) => (
              <List.Item key={scope}>
                {scopeWords({ scope })}: <bdi className={classes.written}>{text}</bdi>
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Section>
  )
}

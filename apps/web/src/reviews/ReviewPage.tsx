import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { newCallback } from '../apps/form/app-values.ts'
import { ConsentPreview } from '../apps/form/ConsentPreview.tsx'
import { AppFacts } from '../apps/overview/AppFacts.tsx'
import { scopesQuery } from '../connected-apps/scope-words.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { usePerson } from '../session/session.ts'
import { useDateFormat } from '../ui/hooks/use-date-format.ts'
import { Mark } from '../ui/Mark.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Section } from '../ui/Section.tsx'
import { CheckResults } from './CheckResults.tsx'
import { DecisionBar } from './DecisionBar.tsx'
import { DeveloperNotes } from './DeveloperNotes.tsx'
import { Differences } from './Differences.tsx'
import { MetadataDocument } from './MetadataDocument.tsx'
import { ReviewDueBadge } from './ReviewDueBadge.tsx'
import { ReviewHistory } from './ReviewHistory.tsx'
import { ReviewMark } from './ReviewMark.tsx'
import { type Review, reviewQuery, reviewStatusOf } from './review-queries.ts'
import { useClientName } from './use-client-name.ts'

/** One app for its reviewer; another app remounts the page. */
export function ReviewPage() {
  const { appId } = useParams({ from: '/house/reviews/$appId' })
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
  const { moment } = useDateFormat()
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
          {submittedOn !== null && ` · ${t('submitted', { moment: moment(submittedOn) })}`}
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

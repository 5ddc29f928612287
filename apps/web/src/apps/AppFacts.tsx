import { Anchor } from '@mantine/core'
import type { App } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { scopesQuery, useScopeWords } from '../connected-apps/scope-words.ts'
import { useDates } from '../texts/dates.ts'
import classes from './AppPage.module.css'
import { useCasesQuery } from './app-queries.ts'
import { useUseCaseName } from './app-words.ts'

const pages = ['homepageUrl', 'policyUrl', 'logoUrl'] as const

/** The app's fields as stored. A client that no developer has registered has fewer, and may name no pages. */
export function AppFacts({ app, isRegistered = true }: { app: App; isRegistered?: boolean }) {
  const { t } = useTranslation('apps')
  const { data: useCases = [] } = useQuery(useCasesQuery)
  const { data: scopes = [] } = useQuery(scopesQuery)
  const nameOf = useUseCaseName()
  const scopeWords = useScopeWords()
  const dates = useDates()
  const useCase = useCases.find(({ code }) => code === app.useCase) ?? { code: app.useCase, name: app.useCase }
  const sentences = app.scopes.map((scope) => scopeWords(scopes.find((one) => one.scope === scope) ?? { scope }))
  return (
    <dl className={classes.facts}>
      {app.description !== '' && (
        <>
          <dt>{t('field.description')}</dt>
          <dd>{app.description}</dd>
        </>
      )}
      {isRegistered && (
        <>
          <dt>{t('field.useCase')}</dt>
          <dd>{nameOf(useCase)}</dd>
        </>
      )}
      {pages
        .filter((page) => app[page] !== '')
        .map((page) => [
          <dt key={`${page} name`}>{t(`field.${page}`)}</dt>,
          <dd key={page}>
            <Anchor href={app[page]} target="_blank" rel="noopener noreferrer" dir="ltr">
              {app[page]}
            </Anchor>
          </dd>,
        ])}
      {isRegistered && (
        <>
          <dt>{t('field.clientType')}</dt>
          <dd>{t(`clientTypes.${app.clientType}.label`)}</dd>
        </>
      )}
      <dt>{t('field.callbackUrls')}</dt>
      <dd>
        <bdi dir="ltr">{app.callbackUrls.join('\n')}</bdi>
      </dd>
      {app.embedOrigins.length > 0 && (
        <>
          <dt>{t('field.embedOrigins')}</dt>
          <dd>
            <bdi dir="ltr">{app.embedOrigins.join('\n')}</bdi>
          </dd>
        </>
      )}
      <dt>{t('field.scopes')}</dt>
      <dd>{sentences.join('\n')}</dd>
      {isRegistered && (
        <>
          <dt>{t('field.requirePkce')}</dt>
          <dd>{t(app.requirePkce ? 'facts.on' : 'facts.off')}</dd>
          <dt>{t('field.sendIss')}</dt>
          <dd>{t(app.sendIss ? 'facts.on' : 'facts.off')}</dd>
        </>
      )}
      <dt>{t('facts.createdOn')}</dt>
      <dd>{dates.date(app.createdOn)}</dd>
    </dl>
  )
}

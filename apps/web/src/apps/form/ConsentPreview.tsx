import { Text } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../../session/session.ts'
import type { AppValues } from './app-values.ts'
import classes from './ConsentPreview.module.css'

type ConsentPreviewProps = {
  values: Pick<AppValues, 'name' | 'homepageUrl' | 'callbackUrls' | 'scopes' | 'clientType'>
  scopes: readonly { scope: string; description: string }[]
  /** The name of the app's owner on the page; the reader's by default. */
  ownerName?: string
}

/**
 * Preview the consent page. The real page is rendered by the server in English, so the preview is English as well; the
 * scopes are described in the service's own sentences.
 */
export function ConsentPreview({ values, scopes, ownerName }: ConsentPreviewProps) {
  const { t } = useTranslation('apps')
  const person = usePerson()
  const owner = ownerName ?? `${person.name} ${person.lname}`.trim()
  const captionId = useId()
  const { homepageUrl, callbackUrls, clientType } = values
  const callback = callbackUrls[0]?.url ?? ''
  const isOnDevice = clientType === 'native' && !/^https:/i.test(callback)
  const name = values.name.trim() === '' ? t('preview.yourApp') : values.name
  const chosen = scopes.filter(({ scope }) => values.scopes.includes(scope))
  return (
    <figure className={classes.figure} aria-labelledby={captionId}>
      <figcaption id={captionId}>
        <Text fw={600}>{t('preview.title')}</Text>
        <Text size="sm" c="dimmed" mb="sm">
          {t('preview.explanation')}
        </Text>
      </figcaption>
      <div className={classes.page} lang="en" dir="ltr">
        <div className={classes.app}>
          <span className={classes.initials} aria-hidden>
            {initialsOf(name)}
          </span>
          <span>
            <strong>
              <bdi>{name}</bdi>
            </strong>
            <br />
            <span className={classes.muted}>
              by <bdi>{owner}</bdi>
            </span>
          </span>
        </div>
        <p className={classes.question}>
          Allow <bdi>{name}</bdi> to use your account?
        </p>
        <p className={classes.wish}>
          <bdi>{name}</bdi> will be able to:
        </p>
        <ul className={classes.scopes}>
          {chosen.length === 0 ? (
            <li className={classes.muted}>…</li>
          ) : (
            chosen.map(({ scope, description }) => <li key={scope}>{description}</li>)
          )}
        </ul>
        <dl className={classes.facts}>
          <dt>Home page</dt>
          <dd>{hostOf(homepageUrl)}</dd>
          <dt>Afterwards</dt>
          <dd>You continue to {isOnDevice ? 'the app on this device' : hostOf(callback)}</dd>
        </dl>
        <div className={classes.answers} aria-hidden>
          <span>Deny</span>
          <span>Allow</span>
        </div>
      </div>
    </figure>
  )
}

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host : '…')

const initialsOf = (name: string) =>
  name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => Array.from(word)[0]?.toUpperCase() ?? '')
    .join('')

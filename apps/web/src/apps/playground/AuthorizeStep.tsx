import { Alert, Button, Checkbox, Group, Stack, Switch, Text } from '@mantine/core'
import type { App } from '@parley/contract'
import { IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useScopeWords } from '../../connected-apps/scope-words.ts'
import { Section } from '../../ui/Section.tsx'
import classes from './Playground.module.css'
import { type Playground, wasSubmitted } from './use-playground.ts'
import { maskSecrets } from './wire.ts'

const windowOfConsent = 'popup,width=520,height=760'

type StepProps = { app: App; playground: Playground; hidden: readonly string[] }

/** Open the consent page and receive the authorization response. */
export function AuthorizeStep({ app, playground, hidden }: StepProps) {
  const { t } = useTranslation('apps')
  const scopeWords = useScopeWords()
  const [scopes, setScopes] = useState<readonly string[]>(app.scopes)
  const [askAgain, setAskAgain] = useState(true)
  const [blocked, setBlocked] = useState(false)
  const { authorization, authorizationResponse } = playground
  const ready = wasSubmitted(app) && scopes.length > 0
  const open = () => {
    if (authorization === undefined) return
    setBlocked(window.open(authorization.url, 'parley-consent', windowOfConsent) === null)
  }
  return (
    <Section title={t('authorize.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('authorize.explanation')}
      </Text>
      <Stack gap="md">
        <Checkbox.Group label={t('field.scopes')} value={[...scopes]} onChange={setScopes}>
          <Group gap="md" mt="xs">
            {app.scopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scopeWords({ scope })} />
            ))}
          </Group>
        </Checkbox.Group>
        <Switch
          label={t('authorize.askAgain')}
          description={t('authorize.askAgainHint')}
          checked={askAgain}
          onChange={({ currentTarget: { checked } }) => setAskAgain(checked)}
        />
        <Group>
          <Button
            variant={authorization === undefined ? 'filled' : 'default'}
            disabled={!ready}
            onClick={() => void playground.prepare(scopes, askAgain)}
          >
            {t(authorization === undefined ? 'authorize.build' : 'authorize.rebuild')}
          </Button>
          {!ready && (
            <Text size="sm" c="dimmed">
              {t('authorize.notReady')}
            </Text>
          )}
        </Group>
      </Stack>
      {authorization !== undefined && (
        <>
          <p className={classes.heading}>{t('authorize.request')}</p>
          <Parameters
            of={[['GET', authorization.url.split('?')[0] ?? ''], ...new URL(authorization.url).searchParams]}
          />
          {authorization.verifier === undefined && (
            <Alert color="yellow" role="note" mb="md">
              {t('authorize.noPkce')}
            </Alert>
          )}
          <Button
            variant={authorizationResponse === undefined ? 'filled' : 'default'}
            leftSection={<IconExternalLink size={18} aria-hidden />}
            onClick={open}
          >
            {t('authorize.open')}
          </Button>
          <Text role="alert" size="sm" c="var(--parley-danger)">
            {blocked && t('authorize.blocked')}
          </Text>
        </>
      )}
      <div role="status">
        {authorizationResponse !== undefined && (
          <>
            <p className={classes.heading}>{t('authorize.answer')}</p>
            <Parameters
              of={authorizationResponse.parameters.map(([name, value]) => [name, maskSecrets(value, hidden)])}
            />
            <ResponseCheck {...authorizationResponse} />
          </>
        )}
      </div>
    </Section>
  )
}

function ResponseCheck({ stateFits, issuerFits, code }: NonNullable<Playground['authorizationResponse']>) {
  const { t } = useTranslation('apps')
  const safe = stateFits && issuerFits !== false
  return (
    <Alert color={safe && code !== undefined ? 'accent' : 'red'} role="presentation">
      <Text size="sm">{t(stateFits ? 'authorize.stateFits' : 'authorize.stateDiffers')}</Text>
      {issuerFits !== undefined && (
        <Text size="sm">{t(issuerFits ? 'authorize.issuerFits' : 'authorize.issuerDiffers')}</Text>
      )}
      <Text size="sm">{t(code === undefined ? 'authorize.refused' : 'authorize.gotCode')}</Text>
    </Alert>
  )
}

function Parameters({ of: parameters }: { of: readonly (readonly [string, string])[] }) {
  return (
    <dl className={classes.parameters} dir="ltr">
      {parameters.map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
    </dl>
  )
}

import { Alert, Anchor, Code, NativeSelect, Stack, Text } from '@mantine/core'
import type { App } from '@parley/contract'
import { callbackFor, fillIn } from '@parley/rules/oauth-apps/example-programs'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Section } from '../ui/Section.tsx'
import {
  exampleCallbackOf,
  missingCallback,
  type QuickStart,
  quickStartsFor,
  readQuickStarts,
  scopesIn,
  writeEnvironment,
} from './quick-starts.ts'

/** The documentation page itself, so that the tested programs exist once. */
const pages = import.meta.glob<string>('../../../../docs/quick-starts.md', { query: '?raw', import: 'default' })

const readPage = async () => {
  const [load] = Object.values(pages)
  return load === undefined ? [] : readQuickStarts(await load())
}

/** Sample programs, one per client library, with the app's own values. */
export function QuickStarts({ app }: { app: App }) {
  const { t } = useTranslation(['apps', 'app'])
  const { data: allQuickStarts = [] } = useQuery({
    queryKey: ['quick-starts'],
    queryFn: readPage,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const quickStarts = quickStartsFor(allQuickStarts, app.clientType)
  const [library, setLibrary] = useState('')
  const [kind, setKind] = useState<'sandbox' | 'live'>('sandbox')
  const chosen = quickStarts.find(({ name }) => name === library) ?? quickStarts[0]
  if (chosen === undefined) return <RowSkeletons rows={4} />
  const clientId = kind === 'live' && app.clientId !== undefined ? app.clientId : app.sandboxClientId
  const callback = callbackFor(app.callbackUrls, exampleCallbackOf(chosen, app.clientType))
  const own = { issuer: location.origin, callback, scopes: app.scopes, clientId }
  return (
    <Section title={t('code.title')}>
      <Stack gap="md">
        <Text c="dimmed" size="sm">
          {t('code.explanation')}{' '}
          <Anchor href={`/docs/quick-starts?app=${app._id}`} target="_blank" underline="always">
            {t('app:documentation')}
          </Anchor>
          {' · '}
          <Anchor href="/reference" target="_blank" underline="always">
            {t('list.reference')}
          </Anchor>
        </Text>
        <NativeSelect
          label={t('code.library')}
          value={chosen.name}
          data={quickStarts.map(({ name }) => name)}
          onChange={({ currentTarget: { value } }) => setLibrary(value)}
        />
        {app.clientId !== undefined && (
          <NativeSelect
            label={t('app.views.credentials')}
            value={kind}
            data={[
              { value: 'sandbox', label: t('app:sandbox') },
              { value: 'live', label: t('live') },
            ]}
            onChange={({ currentTarget: { value } }) => setKind(value === 'live' ? 'live' : 'sandbox')}
          />
        )}
        <Missing app={app} quickStart={chosen} />
        {/* A page has no environment: its client id is filled in. */}
        {app.clientType !== 'single_page' && (
          <div>
            <Text fw={600} mb={4}>
              {t('code.environment')}
            </Text>
            <CodeBlock
              label={t('code.environment')}
              code={writeEnvironment(location.origin, clientId, app.clientType)}
            />
          </div>
        )}
        {chosen.parts.map(({ kind: part, text }, index) =>
          part === 'code' ? (
            <CodeBlock
              key={text}
              label={t('code.program', { library: chosen.name, number: index + 1 })}
              code={fillIn(text, own)}
            />
          ) : (
            <Prose key={text} text={fillIn(text, own)} />
          ),
        )}
      </Stack>
    </Section>
  )
}

/** What the app needs before the program runs unchanged. */
function Missing({ app, quickStart }: { app: App; quickStart: QuickStart }) {
  const { t } = useTranslation('apps')
  const text = quickStart.parts.map((part) => part.text).join('\n')
  const wanted = scopesIn(text, ['user:read', 'meeting:create', 'meeting:read'])
  const scopes = wanted.filter((scope) => !app.scopes.includes(scope))
  const example = missingCallback(quickStart, app)
  if (scopes.length === 0 && example === undefined) return null
  return (
    <Alert color="yellow" role="note" icon={<IconInfoCircle aria-hidden />}>
      {example !== undefined && (
        <Text size="sm">
          {t(app.clientType === 'native' ? 'code.callbackOfDevice' : 'code.callback')} <Code dir="ltr">{example}</Code>
        </Text>
      )}
      {scopes.length > 0 && (
        <Text size="sm">
          {t('code.scopes')} <Code dir="ltr">{scopes.join(' ')}</Code>
        </Text>
      )}
    </Alert>
  )
}

/** A paragraph of the documentation, in English; text in backticks is code. */
function Prose({ text }: { text: string }) {
  return (
    <Text lang="en" dir="ltr">
      {text.split('`').map((piece, index) => (index % 2 === 1 ? <Code key={piece}>{piece}</Code> : piece))}
    </Text>
  )
}

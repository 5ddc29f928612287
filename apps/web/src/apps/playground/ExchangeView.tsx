import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import classes from './Playground.module.css'
import { type Exchange, maskSecrets, writeAnswer, writeRequest } from './wire.ts'

type ExchangeViewProps = { exchange: Exchange | undefined; hidden: readonly string[] }

/** A request and its response, side by side on wide screens. */
export function ExchangeView({ exchange, hidden }: ExchangeViewProps) {
  const { t } = useTranslation('apps')
  return (
    <div role="status">
      {exchange !== undefined && (
        <div className={classes.exchange}>
          <div>
            <p className={classes.caption}>{t('wire.request')}</p>
            <CodeBlock wraps label={t('wire.request')} code={maskSecrets(writeRequest(exchange.request), hidden)} />
          </div>
          <div>
            <p className={classes.caption}>{t('wire.answer', { status: exchange.answer.status })}</p>
            <CodeBlock
              wraps
              label={t('wire.answer', { status: exchange.answer.status })}
              code={maskSecrets(writeAnswer(exchange.answer), hidden)}
            />
          </div>
        </div>
      )}
    </div>
  )
}

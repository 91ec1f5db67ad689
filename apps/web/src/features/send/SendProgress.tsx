import { Check, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { AddressName } from '../../chain/AddressName.tsx'
import { BlockLink, explorerPath } from '../../chain/ChainLinks.tsx'
import { describeSent, describeStage } from '../../chain/describeSent.tsx'
import type { SentTransfer } from '../../chain/sentTransfers.ts'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { Button, ButtonLink, Spinner } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { Alert } from '../../ui/feedback/Alert.tsx'

type Props = { transfer: SentTransfer; onAgain: () => void }

/** How far a transfer has come: signed, in a block, final. The page may be left. */
export function SendProgress({ transfer, onAgain }: Props) {
  const { hash, chain, stage, block, to, toName } = transfer
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const isOver = stage === 'failed' || stage === 'replaced'
  const isInBlock = stage === 'block' || stage === 'final'
  return (
    <Card aria-labelledby="send-progress">
      <h2 id="send-progress" ref={heading} tabIndex={-1} className="text-lg outline-none">
        {describeSent(transfer)}
      </h2>
      <p className="mt-1 text-sm text-muted">
        <Trans
          text="to {address}"
          values={{ address: toName ? <bdi title={to}>{toName}</bdi> : <AddressName address={to} /> }}
        />
      </p>
      <p role="status" className="sr-only">
        {describeStage(stage)}
      </p>
      <ol className="mt-5 flex flex-col gap-3">
        <ProgressStep state="done">{t('Signed and sent')}</ProgressStep>
        <ProgressStep state={isInBlock ? 'done' : isOver ? 'failed' : 'now'}>
          {isInBlock && block !== undefined ? (
            <Trans text="In block {number}" values={{ number: <BlockLink chain={chain} block={block} /> }} />
          ) : (
            t('In a block')
          )}
        </ProgressStep>
        <ProgressStep state={stage === 'final' ? 'done' : stage === 'block' ? 'now' : 'open'}>
          {stage === 'final' ? t('Finalized') : t('Waiting for finality')}
        </ProgressStep>
      </ol>
      {stage === 'failed' && (
        <Alert tone="danger" className="mt-5" title={t('The transfer failed')}>
          {t('Nothing was transferred. The network fee was charged.')}
        </Alert>
      )}
      {stage === 'replaced' && (
        <Alert tone="warn" className="mt-5" title={t('The transfer was replaced')}>
          {t('It was canceled or sped up in your wallet. Check your wallet before you send again.')}
        </Alert>
      )}
      {!isOver && stage !== 'final' && (
        <p className="mt-5 text-sm text-muted">{t('You can leave this page. Your activity shows the progress.')}</p>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        <ButtonLink look="secondary" to={explorerPath(chain, 'tx', hash)}>
          {t('View transaction')}
        </ButtonLink>
        <Button look="secondary" onClick={onAgain}>
          {t('Send again')}
        </Button>
        <ButtonLink to="/account/portfolio">{t('View portfolio')}</ButtonLink>
      </div>
    </Card>
  )
}

type ProgressState = 'done' | 'now' | 'open' | 'failed'

const looks: Record<ProgressState, string> = {
  done: 'bg-ok-soft text-ok',
  now: 'bg-accent-soft text-accent',
  open: 'bg-sunken text-muted',
  failed: 'bg-danger-soft text-danger',
}

function ProgressStep({ state, children }: { state: ProgressState; children: ReactNode }) {
  return (
    <li aria-current={state === 'now' ? 'step' : undefined} className="flex items-center gap-3 text-sm font-medium">
      <span className={cx('grid size-8 shrink-0 place-items-center rounded-full', looks[state])}>
        {state === 'done' && <Check size={17} aria-hidden="true" />}
        {state === 'now' && <Spinner size={17} />}
        {state === 'failed' && <X size={17} aria-hidden="true" />}
      </span>
      <span className={cx('min-w-0', state === 'open' && 'text-muted')}>{children}</span>
    </li>
  )
}

import type { ReactNode } from 'react'
import { formatNumber } from '../i18n/format.ts'
import { Trans } from '../i18n/Trans.tsx'
import { t } from '../i18n/translate.ts'
import { Amount } from './Amount.tsx'
import type { SentStage, SentTransfer } from './sentTransfers.ts'

/** Description of a transfer. */
export function describeSent({ kind, amount, decimals, symbol, name, tokenId }: SentTransfer): ReactNode {
  const what =
    kind === 'native' || kind === 'erc20' ? (
      <Amount amount={BigInt(amount)} decimals={decimals} symbol={symbol} />
    ) : (
      <bdi>
        {kind === 'erc1155' && `${formatNumber(BigInt(amount))} × `}
        {name || `#${tokenId ?? ''}`}
      </bdi>
    )
  return <Trans text="Sent {what}" values={{ what }} />
}

export function describeStage(stage: SentStage): string {
  switch (stage) {
    case 'sent':
      return t('Pending')
    case 'block':
      return t('In a block')
    case 'final':
      return t('Finalized')
    case 'failed':
      return t('Failed')
    case 'replaced':
      return t('Replaced')
  }
}

import { errorCodes } from '@countersign/react'
import type { Wallet } from '@countersign/react/account'
import { shortenAddress } from '@countersign/react/chain'
import { Amount } from '../../chain/Amount.tsx'
import { ChainFailure } from '../../chain/ChainStates.tsx'
import { useChainRequest } from '../../chain/useChainRequest.ts'
import { t } from '../../i18n/translate.ts'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { ListSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { VirtualRows } from '../../ui/VirtualRows.tsx'

/** Assets of a Solana wallet, or the reason why they are not shown. */
export function SolanaCard({ wallet }: { wallet: Wallet }) {
  const { address, label } = wallet
  const found = useChainRequest('getSolanaPortfolio', { network: 'mainnet', address })
  const isUnknown = found.status === 'error' && found.error.code === errorCodes.CommandUnavailable
  const title = t('{wallet} on Solana', { wallet: label ?? shortenAddress(address) })
  return (
    <Card>
      <CardHeader title={title} />
      {found.status === 'pending' && <ListSkeleton label={t('Loading your Solana wallet…')} />}
      {isUnknown && (
        <p className="text-sm text-muted">
          {t('This server has no Solana node, so this wallet’s balances aren’t available.')}
        </p>
      )}
      {found.status === 'error' && !isUnknown && (
        <ChainFailure error={found.error} title={t('Your Solana wallet could not be loaded')} onRetry={found.refetch} />
      )}
      {found.status === 'success' && <SolanaHoldings {...found.data} />}
    </Card>
  )
}

type Held = { name: string; symbol?: string | undefined; mint?: string; amount: bigint; decimals: number }
type Props = {
  nativeBalance: { lamports: string }
  tokens: readonly { mint: string; name: string | null; symbol: string | null; amountRaw: string; decimals: number }[]
  nfts: readonly { mint: string; name: string | null }[]
  slot: number
}

function SolanaHoldings({ nativeBalance, tokens, nfts, slot }: Props) {
  const rows: Held[] = [
    { name: 'Solana', symbol: 'SOL', amount: BigInt(nativeBalance.lamports), decimals: 9 },
    ...tokens.map(({ mint, name, symbol, amountRaw, decimals }) => ({
      name: name || symbol || shortenAddress(mint),
      symbol: symbol ?? undefined,
      mint,
      amount: BigInt(amountRaw),
      decimals,
    })),
    ...nfts.map(({ mint, name }) => ({ name: name || shortenAddress(mint), mint, amount: 1n, decimals: 0 })),
  ]
  return (
    <>
      <VirtualRows
        label={t('Solana assets')}
        count={rows.length}
        estimate={52}
        keyOf={(index) => `${index} ${rows[index]?.mint}`}
      >
        {(index) => {
          const row = rows[index]
          if (!row) return null
          return (
            <p className="flex flex-wrap justify-between gap-x-6 py-3.5 text-sm">
              <bdi className="font-semibold break-words" title={row.mint}>
                {row.name}
              </bdi>
              <Amount amount={row.amount} decimals={row.decimals} symbol={row.symbol} />
            </p>
          )
        }}
      </VirtualRows>
      <p className="mt-2 text-xs text-muted">
        {t('Solana slot {slot}. Not included in the total value because no prices are available.', { slot })}
      </p>
    </>
  )
}

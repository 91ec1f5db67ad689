import { useWallet } from '@countersign/react'
import type { Wallet } from '@countersign/react/account'
import { shortenAddress } from '@countersign/react/chain'
import { ArrowUpRight, Plus, QrCode } from 'lucide-react'
import { Suspense, useState } from 'react'
import { signInSheet } from '../../account/signIn/signInSheet.ts'
import { isSameAddress, nameWallet } from '../../account/wallets/describeWallet.ts'
import { useWalletValues } from '../../account/wallets/useWalletValues.ts'
import { WalletIcon } from '../../account/wallets/WalletIcon.tsx'
import { formatUsd } from '../../chain/usd.ts'
import { useNames } from '../../chain/useNames.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { TextLink } from '../../ui/Links.tsx'
import { lazyPart } from '../../ui/lazyPart.ts'

const ReceiveDialog = lazyPart(async () => (await import('../../account/wallets/ReceiveDialog.tsx')).ReceiveDialog)

const most = 3

/** Value of the wallets, and the wallets: the primary one first, each with its address. */
export function AssetsCard({ wallets }: { wallets: readonly Wallet[] }) {
  const values = useWalletValues(wallets)
  const [receiving, setReceiving] = useState<{ wallet?: string; isOpen: boolean }>()
  const sorted = [...wallets].sort((one, other) => Number(other.primary) - Number(one.primary))
  const receive = (wallet?: string) => setReceiving({ isOpen: true, ...(wallet !== undefined && { wallet }) })
  const hasEvm = wallets.some(({ namespace }) => namespace !== 'solana')
  if (wallets.length === 0) return <NoWallets />
  return (
    <Card aria-labelledby="overview-value">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h2 id="overview-value" className="text-sm font-semibold text-muted">
            {t('Total value')}
          </h2>
          <p className="mt-1 text-3xl font-semibold tracking-tight wrap-anywhere tabular-nums">
            {values.status === 'pending' ? (
              <Skeleton className="h-9 w-44" />
            ) : values.total === undefined ? (
              <span className="text-xl text-muted">{t('Unknown')}</span>
            ) : (
              formatUsd(values.total)
            )}
          </p>
        </div>
        <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
          {hasEvm && (
            <ButtonLink to="/account/portfolio/send">
              <ArrowUpRight size={18} aria-hidden="true" className="rtl:-scale-x-100" />
              {t('Send')}
            </ButtonLink>
          )}
          <Button look={hasEvm ? 'secondary' : 'primary'} aria-haspopup="dialog" onClick={() => receive()}>
            <QrCode size={18} aria-hidden="true" />
            {t('Receive')}
          </Button>
        </div>
      </div>
      <ul aria-label={t('Wallets')} className="mt-5 divide-y divide-line border-t border-line">
        {sorted.slice(0, most).map((wallet) => (
          <OverviewWallet
            key={wallet.objectId}
            wallet={wallet}
            value={values.valueOf(wallet.address)}
            onReceive={() => receive(wallet.address)}
          />
        ))}
      </ul>
      <p className="-mb-3 flex flex-wrap items-center justify-between gap-x-4 border-t border-line pt-1 text-sm">
        <span className="flex flex-wrap gap-x-5">
          <TextLink to="/account/portfolio" className="inline-flex min-h-11 items-center">
            {t('View portfolio')}
          </TextLink>
          <TextLink to="/account/wallets" className="inline-flex min-h-11 items-center">
            {sorted.length > most ? t('All {count} wallets', { count: sorted.length }) : t('Manage wallets')}
          </TextLink>
        </span>
        <Button look="ghost" className="-me-4.5" onClick={() => signInSheet.open({ purpose: 'link' })}>
          <Plus size={17} aria-hidden="true" />
          {t('Link a wallet')}
        </Button>
      </p>
      {receiving && (
        <Suspense>
          <ReceiveDialog
            key={receiving.wallet}
            wallets={sorted}
            first={receiving.wallet}
            open={receiving.isOpen}
            onOpenChange={(isOpen) => setReceiving({ ...receiving, isOpen })}
          />
        </Suspense>
      )}
    </Card>
  )
}

type OverviewWalletProps = { wallet: Wallet; value: bigint | undefined; onReceive: () => void }

function OverviewWallet({ wallet, value, onReceive }: OverviewWalletProps) {
  const nameOf = useNames([wallet.address])
  const name = nameWallet(wallet, nameOf)
  const isNamed = name !== shortenAddress(wallet.address)
  const icon = useWalletIcon(wallet)
  return (
    <li className="flex items-center gap-3.5 py-3">
      <WalletIcon icon={icon} />
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-semibold">{name}</span>
          {wallet.primary && <Badge tone="accent">{t('Primary')}</Badge>}
        </p>
        <p className="truncate text-sm text-muted">
          {isNamed && (
            // A phone has room for one of them.
            <span className={value === undefined ? undefined : 'max-sm:hidden'}>
              <bdi className="font-mono text-xs">{shortenAddress(wallet.address)}</bdi>
              {value !== undefined && ' · '}
            </span>
          )}
          {value !== undefined && <bdi className="tabular-nums">{formatUsd(value)}</bdi>}
        </p>
      </div>
      <span className="flex shrink-0">
        <CopyButton text={wallet.address} label={t('Copy address')} />
        <IconButton
          label={t('Receive with {name}', { name })}
          aria-haspopup="dialog"
          onClick={onReceive}
          className="max-sm:hidden"
        >
          <QrCode size={17} aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  )
}

/** The icon of the wallet that is connected in this browser, for the account that it is on. */
function useWalletIcon({ address }: Wallet): string | undefined {
  const state = useWallet()
  const isConnected = state.status === 'connected' && state.account && isSameAddress(address, state.account)
  return isConnected ? state.connector.icon : undefined
}

function NoWallets() {
  return (
    <Card aria-labelledby="overview-wallets" className="flex flex-wrap items-center gap-4">
      <WalletIcon />
      <div className="min-w-0 flex-1 basis-52">
        <h2 id="overview-wallets" className="text-base">
          {t('No wallets yet')}
        </h2>
        <p className="text-sm text-muted">{t('Link one to see its balances here and to sign in with it.')}</p>
      </div>
      <Button look="secondary" onClick={() => signInSheet.open({ purpose: 'link' })}>
        {t('Link a wallet')}
      </Button>
    </Card>
  )
}

import { useClient, useSession, useWallet } from '@countersign/react'
import { useSignInMethods, type Wallet } from '@countersign/react/account'
import { type Portfolio, useChains, useSendTransfer } from '@countersign/react/chain'
import { listNfts } from '@countersign/react/core'
import { Coins } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { findSessionUser } from '../../account/session.ts'
import { isSameAddress } from '../../account/wallets/describeWallet.ts'
import { ChainFailure, NoChain } from '../../chain/ChainStates.tsx'
import { gatherHoldings } from '../../chain/gatherHoldings.ts'
import { sentTransfers } from '../../chain/sentTransfers.ts'
import { usePortfolios } from '../../chain/usePortfolios.ts'
import { useSentTransfers } from '../../chain/useSentTransfers.ts'
import { t } from '../../i18n/translate.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { RowsSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { describeError, isCancelled } from '../../ui/forms/describeError.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ConnectCard } from './ConnectCard.tsx'
import { type Draft, type Prepared, prepareTransfer, type Refusal, type Sender } from './prepareTransfer.ts'
import { type SendAsset, toAssets, toCollectible } from './SendAsset.ts'
import { SendForm } from './SendForm.tsx'
import { SendProgress } from './SendProgress.tsx'
import { SendReview } from './SendReview.tsx'

/** Sends from the connected wallet: input, review, and progress. */
export function Send() {
  const wallet = useWallet()
  const signInMethods = useSignInMethods()
  const [parameters] = useSearchParams()
  const isEvm = wallet.status === 'connected' && wallet.namespace === 'eip155' && wallet.account !== undefined
  const wanted = parameters.get('from') ?? ''
  return (
    <>
      <PageHeader title={t('Send')}>
        {t('Transfers can’t be undone. Check the recipient and the amount before you confirm.')}
      </PageHeader>
      {wallet.status === 'reconnecting' && <RowsSkeleton label={t('Looking for your wallet…')} />}
      {!isEvm && wallet.status !== 'reconnecting' && (
        <ConnectCard isSolana={wallet.status === 'connected' && wallet.namespace === 'solana'} />
      )}
      {isEvm && wallet.account && wallet.provider && (
        <SendFrom
          sender={{
            account: wallet.accounts.find((each) => isSameAddress(each, wanted)) ?? wallet.account,
            chainId: wallet.chainId,
            request: (method, params) =>
              wallet.provider?.request({ method, params }) ?? Promise.reject(new Error('The wallet is gone.')),
          }}
          wanted={wanted}
          wallets={signInMethods.data?.wallets ?? none}
        />
      )}
    </>
  )
}

const none: readonly Wallet[] = []

type SendFromProps = {
  sender: Sender
  /** The account that was asked for; it may not be one of this wallet's. */
  wanted: string
  wallets: readonly Wallet[]
}

function SendFrom({ sender, wanted, wallets }: SendFromProps) {
  const address = sender.account.toLowerCase()
  const portfolios = usePortfolios([address])
  const [parameters] = useSearchParams()
  const data = portfolios.status === 'success' ? portfolios.data : undefined
  const holdings = useMemo(() => gatherHoldings(data ?? []).holdings, [data])
  const collectibles = useCollectibles(address, data)
  const assets = useMemo(() => [...toAssets(holdings), ...(collectibles ?? [])], [holdings, collectibles])
  const chosen = parameters.get('asset') ?? ''
  // An asset named in the address is waited for, so that no other is selected.
  const isComing = collectibles === undefined && !assets.some(({ key }) => key === chosen) && chosen.includes(' 0x')

  if (portfolios.status === 'error')
    return (
      <Card>
        <ChainFailure
          error={portfolios.error}
          title={t('Your assets could not be loaded')}
          onRetry={portfolios.refetch}
        />
      </Card>
    )
  if (portfolios.status === 'pending' || isComing) return <RowsSkeleton label={t('Loading your assets…')} />
  if (portfolios.data.every(({ chains }) => chains.length === 0)) return <NoChain />
  if (assets.length === 0)
    return (
      <Card>
        <EmptyState
          icon={Coins}
          title={t('Nothing to send')}
          actions={<ButtonLink to="/account/portfolio">{t('View portfolio')}</ButtonLink>}
        >
          {t('This wallet has no assets on the chains of this server.')}
        </EmptyState>
      </Card>
    )
  return <SendSteps sender={sender} wanted={wanted} wallets={wallets} assets={assets} first={chosen} />
}

const mostCollectibles = 100

/** The first collectibles on each chain that is indexed; `undefined` until they were looked for. */
function useCollectibles(address: string, portfolios: readonly Portfolio[] | undefined): SendAsset[] | undefined {
  const client = useClient()
  const [found, setFound] = useState<{ address: string; assets: SendAsset[] }>()
  useEffect(() => {
    if (!portfolios) return
    const control = new AbortController()
    const chains = portfolios.flatMap(({ chains: each }) => each).filter(({ status }) => status !== undefined)
    const read = async ({ chain, name }: (typeof chains)[number]) => {
      const input = { address, chain, limit: mostCollectibles }
      const { result } = await listNfts(client, input, { signal: control.signal })
      return result.map((nft) => toCollectible(nft, chain, name))
    }
    // Without them, the rest can still be sent.
    Promise.all(chains.map((each) => read(each).catch(() => []))).then(
      (assets) => control.signal.aborted || setFound({ address, assets: assets.flat() }),
    )
    return () => control.abort()
  }, [client, address, portfolios])
  return found?.address === address ? found.assets : undefined
}

type SendStepsProps = SendFromProps & { assets: readonly SendAsset[]; first: string }

type Step =
  | { name: 'form' }
  | { name: 'review'; prepared: Prepared; problem?: { message: string; isCalm: boolean } }
  | { name: 'progress'; hash: string }

function SendSteps({ sender, wanted, wallets, assets, first }: SendStepsProps) {
  const client = useClient()
  const userId = findSessionUser(useSession())?.objectId ?? ''
  const sent = useSentTransfers(userId)
  const chains = useChains()
  const { sendTransfer, status } = useSendTransfer()
  const [key, setKey] = useState(first)
  const [draft, setDraft] = useState<Draft>({ to: '', amount: '' })
  const [step, setStep] = useState<Step>({ name: 'form' })
  const [refusal, setRefusal] = useState<Refusal>()
  const [checking, setChecking] = useState<AbortController>()
  const asset = assets.find((each) => each.key === key) ?? assets[0]
  const known = chains.status === 'success' ? chains.data : []
  const own = [...wallets.map(({ address }) => address), sender.account]
  const account = sender.account.toLowerCase()
  // A check is valid only for its account and chain.
  const isStale =
    step.name === 'review' &&
    (step.prepared.from.toLowerCase() !== account || step.prepared.asset.chain !== sender.chainId)
  useEffect(() => {
    if (isStale && status !== 'pending') setStep({ name: 'form' })
  }, [isStale, status])
  useEffect(() => () => checking?.abort(), [checking])
  // A refusal may have been about the chain or the account.
  useEffect(() => {
    void [account, sender.chainId]
    setRefusal(undefined)
  }, [account, sender.chainId])
  if (!asset) return null
  const chain = known.find(({ id }) => id === asset.chain)
  const native = chain?.nativeCurrency ?? { symbol: '', decimals: 18 }
  const currency = assets.find(({ kind, chain: id }) => kind === 'native' && id === asset.chain)
  // Price of one unit: the server values the chain's own currency without a limit.
  const nativePrice = currency?.usd && (currency.usd * 10n ** BigInt(native.decimals)) / currency.balance
  const nameChain = known.find(({ name, aliases }) => [name, ...aliases].includes('eth'))?.id ?? asset.chain

  const check = async () => {
    const control = new AbortController()
    setChecking(control)
    setRefusal(undefined)
    try {
      const surroundings = { asset, native, nameChain, own, sent }
      const outcome = await prepareTransfer(client, sender, draft, surroundings, control.signal)
      if (control.signal.aborted) return
      if ('prepared' in outcome) setStep({ name: 'review', prepared: outcome.prepared })
      else setRefusal(outcome.refusal)
    } catch (error) {
      if (control.signal.aborted) return
      setRefusal({ message: describeError(error as Parameters<typeof describeError>[0]).message })
    } finally {
      setChecking((current) => (current === control ? undefined : current))
    }
  }

  const send = (prepared: Prepared) => {
    setStep({ name: 'review', prepared })
    void sendTransfer(
      { ...toInput(prepared), account: prepared.from as `0x${string}`, chainId: prepared.asset.chain },
      {
        onSuccess: ({ hash }) => {
          sentTransfers.add(userId, toSent(prepared, hash))
          setStep({ name: 'progress', hash })
        },
        onError: (error) => {
          const isCalm = isCancelled(error)
          const message = isCalm ? t('You declined in your wallet. Nothing was sent.') : describeError(error).message
          setStep({ name: 'review', prepared, problem: { message, isCalm } })
        },
      },
    )
  }

  if (step.name === 'progress') {
    const transfer = sent.find(({ hash }) => hash === step.hash)
    const again = () => {
      setDraft({ to: '', amount: '' })
      setStep({ name: 'form' })
    }
    return transfer ? <SendProgress transfer={transfer} onAgain={again} /> : null
  }
  if (step.name === 'review' && !isStale)
    return (
      <SendReview
        prepared={step.prepared}
        native={{ ...native, usd: nativePrice }}
        problem={step.problem}
        isSending={status === 'pending'}
        onBack={() => setStep({ name: 'form' })}
        onSend={() => send(step.prepared)}
      />
    )
  return (
    <SendForm
      sender={sender}
      wanted={wanted}
      assets={assets}
      asset={asset}
      draft={draft}
      nameChain={nameChain}
      chainNames={new Map(known.map(({ id, name }) => [id, name]))}
      refusal={refusal}
      isChecking={checking !== undefined}
      onAsset={(next) => {
        setKey(next)
        setRefusal(undefined)
      }}
      onDraft={(next) => {
        setDraft(next)
        // A pending check is for former input.
        checking?.abort()
        setChecking(undefined)
      }}
      onReview={() => void check()}
    />
  )
}

type Hex = `0x${string}`

function toInput({ asset, amount, to }: Prepared) {
  const receiver = { to: to as Hex }
  const contract = { address: (asset.token ?? '') as Hex, tokenId: asset.tokenId ?? '0' }
  switch (asset.kind) {
    case 'native':
      return { type: 'native', ...receiver, amount } as const
    case 'erc20':
      return { type: 'erc20', ...receiver, address: contract.address, amount } as const
    case 'erc721':
      return { type: 'erc721', ...receiver, ...contract } as const
    case 'erc1155':
      return { type: 'erc1155', ...receiver, ...contract, amount } as const
  }
}

function toSent({ asset, amount, from, to, toName }: Prepared, hash: string) {
  const { chain, kind, symbol, decimals, name, tokenId } = asset
  return {
    hash,
    chain,
    from,
    to,
    ...(toName !== undefined && { toName }),
    kind,
    amount: amount.toString(),
    ...(decimals !== undefined && { decimals }),
    ...(symbol !== undefined && { symbol }),
    ...(tokenId !== undefined && { tokenId, name }),
    at: new Date().toISOString(),
    stage: 'sent',
  } as const
}

import { shortenAddress, useSwitchChain } from '@countersign/react/chain'
import { useEffect, useState } from 'react'
import { isSameAddress } from '../../account/wallets/describeWallet.ts'
import { formatAmount } from '../../chain/Amount.tsx'
import { checksumAddress } from '../../chain/checksumAddress.ts'
import { useChainRequest } from '../../chain/useChainRequest.ts'
import { useNames } from '../../chain/useNames.ts'
import { findChainName } from '../../i18n/nameChain.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { describeError, isCancelled } from '../../ui/forms/describeError.ts'
import { TextField } from '../../ui/forms/Field.tsx'
import { Form, FormProblemAlert, useFormProblem } from '../../ui/forms/Form.tsx'
import { AssetPicker } from './AssetPicker.tsx'
import { type Draft, isName, leaveFee, type Refusal, type Sender } from './prepareTransfer.ts'
import { writeAmount } from './readAmount.ts'
import type { SendAsset } from './SendAsset.ts'

type Props = {
  sender: Sender
  wanted: string
  assets: readonly SendAsset[]
  asset: SendAsset
  draft: Draft
  nameChain: number
  chainNames: ReadonlyMap<number, string>
  refusal: Refusal | undefined
  isChecking: boolean
  onAsset: (key: string) => void
  onDraft: (draft: Draft) => void
  onReview: () => void
}

/** Asset, amount and recipient. Input stays after a refusal. */
export function SendForm(props: Props) {
  const { sender, wanted, assets, asset, draft, nameChain, chainNames, refusal, isChecking } = props
  const { formRef, problem, setProblem, errors } = useFormProblem()
  const nameOf = useNames([sender.account])
  const isElsewhere = sender.chainId !== asset.chain
  useEffect(() => {
    setProblem(refusal && { ...(refusal.fields && { fields: refusal.fields }), message: refusal.message })
  }, [refusal, setProblem])
  const change = (name: keyof Draft) => (text: string) => props.onDraft({ ...draft, [name]: text })
  const setAmount = change('amount')
  const max = async () => setAmount(writeAmount(await findMost(sender, asset), asset.decimals ?? 0))
  const submit = () => {
    if (!isChecking) props.onReview()
  }
  return (
    <Card>
      <Form formRef={formRef} onSubmit={submit} label={t('Send')}>
        <p className="text-sm text-muted">
          {t('From {account}', { account: nameOf(sender.account) ?? shortenAddress(checksumAddress(sender.account)) })}
        </p>
        {wanted && !isSameAddress(wanted, sender.account) && (
          <Alert tone="warn">
            {t('Your wallet doesn’t share {account}. Switch to it in your wallet to send from it.', {
              account: shortenAddress(checksumAddress(wanted)),
            })}
          </Alert>
        )}
        <FormProblemAlert problem={problem} secondsLeft={0} />
        <AssetPicker assets={assets} asset={asset} onAsset={props.onAsset} />
        {asset.isNamesake && (
          <Alert tone="warn">{t('Another token has the same name. Check that this is the one you mean.')}</Alert>
        )}
        {isElsewhere && (
          <WrongChain chain={asset.chain} name={asset.chainName} present={namePresent(sender, chainNames)} />
        )}
        <TextField
          label={t('Recipient')}
          name="to"
          value={draft.to}
          onChange={(event) => change('to')(event.target.value)}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          dir="ltr"
          required
          maxLength={255}
          className="font-mono text-sm"
          hint={<NameHint text={draft.to.trim()} chain={nameChain} />}
          error={errors.to}
        />
        {asset.kind !== 'erc721' && (
          <TextField
            label={t('Amount')}
            aside={
              <button
                type="button"
                onClick={() => void max()}
                className="-my-3 min-h-11 rounded-control px-2 text-sm font-semibold text-accent hover:underline"
              >
                {t('Max')}
              </button>
            }
            name="amount"
            value={draft.amount}
            onChange={(event) => setAmount(event.target.value)}
            inputMode="decimal"
            autoComplete="off"
            dir="ltr"
            required
            maxLength={100}
            className="tabular-nums"
            hint={t('Available: {amount}', { amount: describeBalance(asset) })}
            error={errors.amount}
          />
        )}
        {refusal?.most !== undefined && errors.amount && (
          <Button
            look="secondary"
            onClick={() => setAmount(writeAmount(refusal.most ?? 0n, asset.decimals ?? 0))}
            className="-mt-2 self-start"
          >
            {t('Use {amount}', {
              amount: `${formatAmount(refusal.most, asset.decimals ?? 0).short} ${asset.symbol ?? ''}`,
            })}
          </Button>
        )}
        <Button type="submit" pending={isChecking} className="sm:self-start">
          {t('Review transfer')}
        </Button>
      </Form>
    </Card>
  )
}

const namePresent = ({ chainId }: Sender, names: ReadonlyMap<number, string>) =>
  chainId === undefined
    ? t('another chain')
    : (names.get(chainId) ?? findChainName(chainId) ?? t('chain {id}', { id: String(chainId) }))

const describeBalance = ({ balance, decimals = 0, symbol }: SendAsset) =>
  `${formatAmount(balance, decimals).short}${symbol ? ` ${symbol}` : ''}`

/** All of it; of the chain's own currency, what the fee leaves. Checked again before anything is sent. */
async function findMost(sender: Sender, { kind, chain, balance }: SendAsset): Promise<bigint> {
  if (kind !== 'native' || sender.chainId !== chain) return balance
  try {
    const { account } = sender
    const gas = await sender.request('eth_estimateGas', [{ from: account, to: account, value: '0x0' }])
    const price = await sender.request('eth_gasPrice', [])
    return leaveFee(balance, BigInt(String(gas)) * BigInt(String(price)))
  } catch {
    return balance
  }
}

type WrongChainProps = { chain: number; name: string; present: string }

function WrongChain({ chain, name, present }: WrongChainProps) {
  const { switchChain, status, ...outcome } = useSwitchChain()
  const error = status === 'error' ? outcome.error : undefined
  return (
    <Alert
      tone="warn"
      title={t('Your wallet is on {present}. This asset is on {chain}.', { present, chain: name })}
      actions={
        <Button
          look="secondary"
          pending={status === 'pending'}
          onClick={() => void switchChain({ chainId: chain }, { onError: () => {} })}
        >
          {t('Switch to {chain}', { chain: name })}
        </Button>
      }
    >
      {error &&
        (isCancelled(error)
          ? t('You declined in your wallet.')
          : t('Your wallet could not switch: {reason}', { reason: describeError(error).message }))}
    </Alert>
  )
}

const settling = 400

/** The address of a name while it is typed. It is resolved again before anything is sent. */
function NameHint({ text, chain }: { text: string; chain: number }) {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settling)
    return () => clearTimeout(timer)
  }, [text])
  const isWanted = settled === text && isName(text)
  const found = useChainRequest('resolveName', { chain: String(chain), name: settled }, isWanted)
  if (!isName(text)) return t('An address or an ENS name')
  if (!isWanted || found.status === 'pending') return <span role="status">{t('Looking up the name…')}</span>
  if (found.status === 'error')
    return (
      <span role="status">
        {found.error.code === 101 ? t('No address is set for this name.') : describeError(found.error).message}
      </span>
    )
  return (
    <bdi role="status" className="font-mono break-all text-ink">
      {checksumAddress(found.data.result.address)}
    </bdi>
  )
}

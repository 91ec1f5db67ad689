import { useUpdateWallet, type Wallet } from '@countersign/react/account'
import { shortenAddress } from '@countersign/react/chain'
import { ArrowUpRight, Pencil, QrCode, ShieldCheck, Star, Unlink, Unplug } from 'lucide-react'
import { useState } from 'react'
import { describeWallet, nameWallet } from '../../account/wallets/describeWallet.ts'
import { WalletIcon } from '../../account/wallets/WalletIcon.tsx'
import { formatUsd } from '../../chain/usd.ts'
import { useChainName } from '../../chain/useChainName.ts'
import { useNames } from '../../chain/useNames.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Detail, DetailList, DetailRow } from '../../ui/DetailRow.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/forms/Field.tsx'
import { Form, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { ActionsMenu, MenuItem, MenuLink } from '../../ui/Menu.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'

type Props = {
  wallet: Wallet
  /** In dollars; absent where it is not known. */
  value: bigint | undefined
  /** Absent where this browser is not connected to it. */
  connection?: { icon?: string; onDisconnect: () => void } | undefined
  isOnlyMethod: boolean
  /** Absent where it is the first of its kind already. */
  onMakePrimary?: (() => void) | undefined
  onReceive: () => void
  onVerify: () => void
  onUnlink: () => void
}

export function WalletRow({ wallet, value, connection, isOnlyMethod, onMakePrimary, onReceive, ...acts }: Props) {
  const [isNaming, setNaming] = useState(false)
  const nameOf = useNames([wallet.address])
  const name = nameWallet(wallet, nameOf)
  const { kind, chain } = describeWallet(wallet, useChainName())
  return (
    <DetailRow
      icon={<WalletIcon icon={connection?.icon} />}
      title={name}
      aside={
        <>
          {wallet.primary && <Badge tone="accent">{t('Primary')}</Badge>}
          {connection && <Badge tone="ok">{t('Connected')}</Badge>}
          {wallet.provisional && <Badge tone="warn">{t('Not deployed yet')}</Badge>}
        </>
      }
      facts={[
        name !== shortenAddress(wallet.address) && (
          <bdi key="address" className="font-mono text-xs">
            {shortenAddress(wallet.address)}
          </bdi>
        ),
        value !== undefined && <bdi className="whitespace-nowrap tabular-nums">{formatUsd(value)}</bdi>,
      ]}
      minorFact={chain}
      actions={
        <>
          <span className="max-sm:hidden">
            <CopyButton text={wallet.address} label={t('Copy address')} />
          </span>
          <ActionsMenu label={t('Actions for {name}', { name })}>
            {wallet.namespace !== 'solana' && (
              <MenuLink icon={ArrowUpRight} label={t('Send')} to={`/account/portfolio/send?from=${wallet.address}`} />
            )}
            <MenuItem icon={QrCode} label={t('Receive')} onSelect={onReceive} />
            <MenuItem icon={Pencil} label={t('Rename')} onSelect={() => setNaming(true)} />
            {onMakePrimary && <MenuItem icon={Star} label={t('Make primary')} onSelect={onMakePrimary} />}
            <MenuItem icon={ShieldCheck} label={t('Verify again')} onSelect={acts.onVerify} />
            {connection && <MenuItem icon={Unplug} label={t('Disconnect')} onSelect={connection.onDisconnect} />}
            {!isOnlyMethod && <MenuItem icon={Unlink} label={t('Unlink')} danger onSelect={acts.onUnlink} />}
          </ActionsMenu>
          <RenameDialog wallet={wallet} open={isNaming} onOpenChange={setNaming} />
        </>
      }
      note={
        wallet.provisional &&
        t(
          'This smart account isn’t deployed yet. Deploy it with your wallet, then verify it again here. Until then it grants no roles, and you can’t add other sign-in methods.',
        )
      }
    >
      <DetailList>
        <Detail name={t('Address')}>
          <span className="flex items-center gap-1">
            <bdi className="font-mono text-xs break-all">{wallet.address}</bdi>
            <span className="-my-2.5 print:hidden">
              <CopyButton text={wallet.address} label={t('Copy address')} />
            </span>
          </span>
        </Detail>
        <Detail name={t('Type')}>{kind}</Detail>
        <Detail name={t('Chain')}>{chain}</Detail>
        <Detail name={t('Linked')}>
          <RelativeTime date={wallet.linkedAt} />
        </Detail>
        <Detail name={t('Last used')}>
          <RelativeTime date={wallet.lastUsedAt} />
        </Detail>
      </DetailList>
      {isOnlyMethod && !wallet.provisional && (
        <p className="mt-3 text-sm text-muted">
          {t('This is your only sign-in method. Add another wallet, a passkey or a password before unlinking it.')}
        </p>
      )}
    </DetailRow>
  )
}

type RenameDialogProps = { wallet: Wallet; open: boolean; onOpenChange: (open: boolean) => void }

function RenameDialog({ wallet, open, onOpenChange }: RenameDialogProps) {
  const { updateWallet, status } = useUpdateWallet()
  const { formRef, problem, setProblem, secondsLeft } = useFormProblem()
  const close = () => {
    setProblem(undefined)
    onOpenChange(false)
  }
  const save = ({ label = '' }: Record<string, string>) => {
    if (status === 'pending') return
    if (label.trim() === (wallet.label ?? '')) return close()
    setProblem(undefined)
    void updateWallet(
      { objectId: wallet.objectId, label: label.trim() || null },
      { onSuccess: close, onError: (error) => setProblem(problemOf(error)) },
    )
  }
  return (
    <Dialog open={open} onOpenChange={close} title={t('Rename wallet')}>
      <Form formRef={formRef} onSubmit={save} label={t('Rename wallet')}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <TextField
          label={t('Name of {wallet}', { wallet: shortenAddress(wallet.address) })}
          name="label"
          defaultValue={wallet.label ?? ''}
          maxLength={60}
          autoComplete="off"
        />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button look="secondary" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button type="submit" pending={status === 'pending'}>
            {t('Save')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

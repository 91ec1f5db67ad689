import type { Wallet } from '@countersign/react/account'
import { shortenAddress } from '@countersign/react/chain'
import { useId } from 'react'
import { useNames } from '../../chain/useNames.ts'
import { t } from '../../i18n/translate.ts'
import { inputClass } from '../../ui/forms/Field.tsx'
import { nameWallet } from './describeWallet.ts'

type Props = {
  wallets: readonly Wallet[]
  value: string
  onChange: (address: string) => void
  /** The words for all of them, where all may be chosen. */
  all?: string
}

export function WalletSelect({ wallets, value, onChange, all }: Props) {
  const id = useId()
  const nameOf = useNames(wallets.map(({ address }) => address))
  return (
    <div className="min-w-0 flex-1 basis-44">
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        {t('Wallet')}
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)} className={inputClass}>
        {all !== undefined && <option value="">{all}</option>}
        {[...new Map(wallets.map((wallet) => [wallet.address, wallet])).values()].map((wallet) => {
          const { address } = wallet
          const [name, short] = [nameWallet(wallet, nameOf), shortenAddress(address)]
          return (
            <option key={address} value={address}>
              {name === short ? short : `${name} (${short})`}
            </option>
          )
        })}
      </select>
    </div>
  )
}

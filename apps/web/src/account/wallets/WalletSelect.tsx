import type { Wallet } from '@countersign/react/account'
import { shortenAddress } from '@countersign/react/chain'
import { useId } from 'react'
import { t } from '../../i18n/translate.ts'
import { inputClass } from '../../ui/forms/Field.tsx'

type Props = {
  wallets: readonly Wallet[]
  value: string
  onChange: (address: string) => void
  /** The words for all of them, where all may be chosen. */
  all?: string
}

export function WalletSelect({ wallets, value, onChange, all }: Props) {
  const id = useId()
  return (
    <div className="min-w-0 flex-1 basis-44">
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        {t('Wallet')}
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)} className={inputClass}>
        {all !== undefined && <option value="">{all}</option>}
        {[...new Map(wallets.map((wallet) => [wallet.address, wallet])).values()].map(({ address, label }) => (
          <option key={address} value={address}>
            {label ? `${label} (${shortenAddress(address)})` : shortenAddress(address)}
          </option>
        ))}
      </select>
    </div>
  )
}

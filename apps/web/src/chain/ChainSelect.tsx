import { useId } from 'react'
import { t } from '../i18n/translate.ts'
import { inputClass } from '../ui/forms/Field.tsx'

type Props = {
  chains: readonly { id: number; name: string }[]
  value: string
  onChange: (chain: string) => void
  all?: string
}

export function ChainSelect({ chains, value, onChange, all }: Props) {
  const id = useId()
  return (
    <div className="min-w-0 flex-1 basis-44">
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        {t('Chain')}
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)} className={inputClass}>
        {all !== undefined && <option value="">{all}</option>}
        {chains.map(({ id: chain, name }) => (
          <option key={chain} value={chain}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

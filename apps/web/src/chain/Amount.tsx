import { useState } from 'react'
import { formatNumber, getDecimalSign } from '../i18n/format.ts'
import { t } from '../i18n/translate.ts'

type Props = {
  amount: bigint
  decimals?: number | undefined
  symbol?: string | undefined
  /** Every digit, where there is room for one amount. */
  exact?: boolean
}

/** An amount in at most six digits that count; all of them on hover, on paper, and where `exact` is asked for. */
export function Amount({ amount, decimals, symbol, exact = false }: Props) {
  const { short, whole } = formatAmount(amount, decimals ?? 0)
  const suffix = symbol ? ` ${symbol}` : ''
  const isShort = !exact && short !== whole
  return (
    <span className="min-w-0 tabular-nums wrap-anywhere">
      {/* Number and symbol have this order in every language. */}
      <bdi dir="ltr" {...(isShort && { title: `${whole}${suffix}`, 'data-whole': `${whole}${suffix}` })}>
        <span>
          {exact ? whole : short}
          {symbol && ' '}
          {symbol && <bdi>{symbol}</bdi>}
        </span>
      </bdi>
      {decimals === undefined && <span className="text-muted"> {t('(smallest units)')}</span>}
    </span>
  )
}

/** As `Amount`; a press shows every digit, also where nothing can be hovered over. */
export function PressableAmount(props: Omit<Props, 'exact'>) {
  const [isExact, setExact] = useState(false)
  const { short, whole } = formatAmount(props.amount, props.decimals ?? 0)
  if (short === whole) return <Amount {...props} />
  return (
    <button
      type="button"
      aria-pressed={isExact}
      onClick={() => setExact(!isExact)}
      className="-my-2.5 min-h-11 max-w-full rounded-control text-end decoration-dotted underline-offset-4 hover:underline"
    >
      <Amount {...props} exact={isExact} />
    </button>
  )
}

/** Gas price in gwei, or in wei if that would be a row of zeros. */
export function GasPrice({ wei }: { wei: bigint }) {
  return wei < 1_000_000n ? (
    <Amount amount={wei} decimals={0} symbol="wei" />
  ) : (
    <Amount amount={wei} decimals={9} symbol="gwei" />
  )
}

const mostDigits = 6

/**
 * Formats token units without floating-point numbers: `whole` has every digit, `short` six significant ones. Rounded
 * down: nobody has more than is there.
 */
export function formatAmount(amount: bigint, decimals: number): { short: string; whole: string } {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  const integer = digits.slice(0, cut)
  const fraction = digits.slice(cut).replace(/0+$/, '')
  const write = (part: string) => `${sign}${formatNumber(BigInt(integer))}${part && `${getDecimalSign()}${part}`}`
  // Zeros before the first digit do not count, however far behind the point that lies.
  const kept = integer === '0' ? fraction.search(/[1-9]/) + mostDigits : mostDigits - integer.length
  return { short: write(fraction.slice(0, Math.max(0, kept)).replace(/0+$/, '')), whole: write(fraction) }
}

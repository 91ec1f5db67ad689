import { formatAmount } from '../../lib/chain/formatAmount.ts'
import { say } from '../../lib/say.ts'

type Props = { amount: bigint; decimals?: number | undefined; symbol?: string | undefined; sign?: '+' | '−' | '' }

/** Every digit of an amount; those that seldom matter are less loud. */
export function Amount({ amount, decimals, symbol, sign = '' }: Props) {
  const { main, rest } = formatAmount(amount, decimals ?? 0)
  return (
    <span className="min-w-0 tabular-nums wrap-anywhere">
      {/* Sign, number and symbol stand in this order in every language. */}
      <bdi dir="ltr">
        {sign}
        {main}
        {rest && <span className="text-muted text-[0.85em] break-all">{rest}</span>} {symbol && <bdi>{symbol}</bdi>}
      </bdi>
      {decimals === undefined && <span className="text-muted"> {say('(smallest units)')}</span>}
    </span>
  )
}

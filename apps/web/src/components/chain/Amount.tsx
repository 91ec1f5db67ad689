import { formatAmount } from '../../lib/chain/formatAmount.ts'
import { say } from '../../lib/say.ts'

type Props = { amount: bigint; decimals?: number | undefined; symbol?: string | undefined; sign?: '+' | '−' | '' }

/** Every digit of an amount; those that seldom matter are less loud. */
export function Amount({ amount, decimals, symbol, sign = '' }: Props) {
  const { main, rest } = formatAmount(amount, decimals ?? 0)
  return (
    <span className="break-words tabular-nums">
      <bdi>
        {sign}
        {main}
        {rest && <span className="text-muted text-[0.85em] break-all">{rest}</span>}
      </bdi>{' '}
      {symbol !== undefined && <bdi>{symbol}</bdi>}
      {decimals === undefined && <span className="text-muted"> {say('(smallest units)')}</span>}
    </span>
  )
}

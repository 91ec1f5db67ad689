import type { LogRecord } from '@countersign/protocol'
import { useToken } from '@countersign/react'
import { say } from '../../lib/say.ts'
import { AddressLink } from '../chain/AddressLink.tsx'
import { Amount } from '../chain/Amount.tsx'
import { Phrase } from '../Phrase.tsx'
import { DecodedView } from './DecodedView.tsx'

type Props = { log: Omit<LogRecord, 'block'>; chain: string | number }

/** One event: in words where its meaning is known, and as the chain has it. */
export function EventRow({ log, chain }: Props) {
  const { address, decoded, topics, data, logIndex } = log
  const token = useToken({ token: address, chain })
  const known = token.status === 'success' ? token.data : undefined
  const amount = decoded && findAmount(decoded.params)
  return (
    <div className="py-4 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-xs text-muted tabular-nums">#{logIndex}</span>
        <span className="font-semibold">{decoded?.label ?? say('Event of an unknown kind')}</span>
        {amount !== undefined && known?.decimals !== undefined && (
          <Amount amount={amount} decimals={known.decimals} symbol={known.symbol} />
        )}
        <span className="text-muted">
          <Phrase
            text="by {contract}"
            values={{ contract: <AddressLink chain={chain} address={address} label={known?.name} /> }}
          />
        </span>
      </p>
      <div className="mt-2">
        {decoded && <DecodedView decoded={decoded} chain={chain} />}
        <details className="mt-1">
          <summary className="inline-flex min-h-11 items-center text-xs font-semibold text-accent">
            {say('As it is on the chain')}
          </summary>
          <ol className="font-mono text-xs break-all">
            {topics.map((topic, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: topics may be equal; their order stays
              <li key={place}>{topic}</li>
            ))}
          </ol>
          <p className="mt-1 max-h-40 overflow-auto font-mono text-xs break-all text-muted">{data}</p>
        </details>
      </div>
    </div>
  )
}

/** The amount of a transfer or an approval: the last parameter, if it is a number and no id. */
function findAmount(params: { name: string; type: string; value: unknown }[]): bigint | undefined {
  const last = params.at(-1)
  if (params.length !== 3 || last?.type !== 'uint256' || /id/i.test(last.name)) return undefined
  return typeof last.value === 'string' && /^\d+$/.test(last.value) ? BigInt(last.value) : undefined
}

import type { DecodedRecord } from '@countersign/protocol'
import { AddressLink } from '../chain/AddressLink.tsx'

/** A call or an event in words: its name, and what it was given. */
export function DecodedView({ decoded, chain }: { decoded: DecodedRecord; chain: string | number }) {
  return (
    <div>
      <p className="font-mono text-[0.92em] break-all text-muted">
        <bdi>{decoded.signature}</bdi>
      </p>
      <dl className="mt-1.5 grid gap-1">
        {decoded.params.map(({ name, type, value }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names of parameters may be absent or repeated; their order stays
          <div key={place} className="flex flex-wrap gap-x-2">
            <dt className="text-muted">
              {name || `#${place + 1}`} <span className="text-xs">{type}</span>
            </dt>
            <dd className="min-w-0 break-all">
              {type === 'address' && typeof value === 'string' ? (
                <AddressLink chain={chain} address={value.toLowerCase()} whole />
              ) : (
                <bdi className="font-mono text-[0.92em]">
                  {typeof value === 'string' ? value : JSON.stringify(value)}
                </bdi>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

import { shortenAddress } from '@countersign/react/chain'
import { useNames } from './useNames.ts'

/** The ENS name of an address, or the ends of the address; the whole of it on hover. */
export function AddressName({ address }: { address: string }) {
  const name = useNames([address])(address)
  return (
    <bdi title={address} className={name ? 'wrap-anywhere' : 'font-mono text-xs'}>
      {name ?? shortenAddress(address)}
    </bdi>
  )
}

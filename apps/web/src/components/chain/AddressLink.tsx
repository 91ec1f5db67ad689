import { shortenAddress } from '@countersign/react'
import { explorerPath } from '../../lib/chain/explorerPath.ts'
import { TextLink } from '../TextLink.tsx'

type Props = { chain: number | string; address: string; label?: string | undefined; whole?: boolean }

/** An address or a contract as a way to its page; short, unless there is room for all of it. */
export function AddressLink({ chain, address, label, whole = false }: Props) {
  return (
    <TextLink
      to={explorerPath(chain, 'address', address)}
      title={address}
      data-whole={label ? undefined : address}
      className={label ? 'wrap-anywhere' : mono}
    >
      <bdi>{label || (whole ? address : shortenAddress(address))}</bdi>
    </TextLink>
  )
}

const mono = 'font-mono text-[0.92em] font-normal! break-all'

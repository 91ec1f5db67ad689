import { shortenAddress } from '@countersign/react/chain'
import { formatNumber } from '../i18n/format.ts'
import { TextLink } from '../ui/Links.tsx'
import { checksumAddress } from './checksumAddress.ts'
import { useNames } from './useNames.ts'

type Props = { chain: number | string; address: string; label?: string | undefined; whole?: boolean }

const none: readonly string[] = []

/** An address or a contract as a way to its page: its name, or the short address, unless there is room for all of it. */
export function AddressLink({ chain, address, label: given, whole = false }: Props) {
  const written = checksumAddress(address)
  const nameOf = useNames(given || whole ? none : [address])
  const label = given || (whole ? undefined : nameOf(address))
  return (
    <TextLink
      to={explorerPath(chain, 'address', address)}
      title={written}
      data-whole={given ? undefined : written}
      className={label ? 'wrap-anywhere' : whole ? `${mono} break-all` : `${mono} ${unbroken}`}
    >
      <bdi>{label || (whole ? written : shortenAddress(written))}</bdi>
    </TextLink>
  )
}

const mono = 'font-mono text-[0.92em] font-normal!'
/** On paper the whole of it follows. */
const unbroken = 'whitespace-nowrap print:break-all print:whitespace-normal'

type HashLinkProps = { chain: number | string; hash: string; place?: 'tx' | 'block'; whole?: boolean }

export function HashLink({ chain, hash, place = 'tx', whole = false }: HashLinkProps) {
  return (
    <TextLink
      to={explorerPath(chain, place, hash)}
      title={hash}
      className={whole ? `${mono} break-all` : `${mono} ${unbroken}`}
    >
      <bdi>{whole ? hash : `${hash.slice(0, 10)}…${hash.slice(-6)}`}</bdi>
    </TextLink>
  )
}

export function BlockLink({ chain, block }: { chain: number | string; block: number }) {
  return <TextLink to={explorerPath(chain, 'block', block)}>{formatNumber(block)}</TextLink>
}

type ExplorerPlace = 'block' | 'tx' | 'address' | 'name'

/** The address of a page of the explorer. */
export function explorerPath(chain: number | string, place: ExplorerPlace, value: number | string): string {
  // One page has one link, in whatever letters an address is written.
  const part = place === 'address' ? String(value).toLowerCase() : value
  return `/explorer/${encodeURIComponent(chain)}/${place}/${encodeURIComponent(part)}`
}

/** The address of the page that sends; `asset` is the key of a holding, or that of its contract and an id. */
export function sendPath(asset?: string): string {
  return `/account/portfolio/send${asset === undefined ? '' : `?asset=${encodeURIComponent(asset)}`}`
}

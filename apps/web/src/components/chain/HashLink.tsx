import { explorerPath } from '../../lib/chain/explorerPath.ts'
import { TextLink } from '../TextLink.tsx'

type Props = { chain: number | string; hash: string; place?: 'tx' | 'block'; whole?: boolean }

export function HashLink({ chain, hash, place = 'tx', whole = false }: Props) {
  return (
    <TextLink
      to={explorerPath(chain, place, hash)}
      title={hash}
      className="font-mono text-[0.92em] font-normal! break-all"
    >
      <bdi>{whole ? hash : `${hash.slice(0, 10)}…${hash.slice(-6)}`}</bdi>
    </TextLink>
  )
}

import { explorerPath } from '../../lib/chain/explorerPath.ts'
import { formatNumber } from '../../lib/formatNumber.ts'
import { TextLink } from '../TextLink.tsx'

export function BlockLink({ chain, block }: { chain: number | string; block: number }) {
  return <TextLink to={explorerPath(chain, 'block', block)}>{formatNumber(block)}</TextLink>
}

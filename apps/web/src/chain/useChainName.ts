import { useChains } from '@countersign/react/chain'
import { findChainName, nameChain } from '../i18n/nameChain.ts'

/** Names a chain: by its well-known name, by the name the server has for it, else by its id. */
export function useChainName(): (id: string | number) => string {
  const chains = useChains()
  return (id) => findChainName(id) ?? chains.data?.find((each) => String(each.id) === String(id))?.name ?? nameChain(id)
}

import { type User, useChains } from '@countersign/react'
import { NameOffer } from './NameOffer.tsx'

type Props = { user: User; onTaken?: (name: string) => void; onStepUp?: (again: () => void) => void }

/** More are looked up by nobody. */
const most = 5

/** The names that the owner's wallets go by on Ethereum, to be taken for the account. */
export function NameOffers({ user, ...calls }: Props) {
  const { accounts } = user
  const addresses = Array.isArray(accounts) ? accounts.filter((each) => typeof each === 'string') : []
  return addresses.length > 0 ? <Offers user={user} addresses={addresses.slice(0, most)} {...calls} /> : null
}

function Offers({ user, addresses, ...calls }: Props & { addresses: string[] }) {
  const chains = useChains()
  // One with a node of the operator's own, which has a head: public nodes are not told whose addresses are whose.
  const chain =
    chains.status === 'success'
      ? chains.data.find(({ name, aliases, head }) => head && [name, ...aliases].includes('eth'))
      : undefined
  if (!chain) return null
  return (
    <ul className="flex flex-col gap-2 empty:hidden">
      {addresses.map((address) => (
        <NameOffer key={address} user={user} chain={chain.id} address={address} {...calls} />
      ))}
    </ul>
  )
}

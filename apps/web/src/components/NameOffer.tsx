import { shortenAddress, type User } from '@countersign/react'
import { AtSign } from 'lucide-react'
import { useChainRequest } from '../lib/chain/useChainRequest.ts'
import { findAvatar } from '../lib/findAvatar.ts'
import { say } from '../lib/say.ts'
import { useKeepFocus } from '../lib/useKeepFocus.ts'
import { type NameToTake, useTakeName } from '../lib/useTakeName.ts'
import { Button } from './Button.tsx'

type Props = {
  user: User
  chain: number
  address: string
  onTaken?: ((name: string) => void) | undefined
  onStepUp?: ((again: () => void) => void) | undefined
}

/** The name that a wallet goes by, if it has one. Its picture is fetched when it is taken, and not before. */
export function NameOffer({ user, chain, address, onTaken, onStepUp }: Props) {
  const found = useChainRequest('getAddress', { chain: String(chain), address })
  const { take, taking, problems } = useTakeName(onTaken, onStepUp)
  const { name = '', avatar } = found.status === 'success' ? found.data.result : {}
  const isNew = user.username !== name
  const withPicture = avatar !== undefined && !findAvatar(user)
  // What is saved shows at once; the words stay until it is known to be.
  const offer = taking ?? { chain, name, isNew, withPicture }
  const isOffered = name !== '' && (offer.isNew || offer.withPicture)
  useKeepFocus(isOffered ? 1 : 0)
  if (!isOffered) return null
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control bg-sunken p-4">
      <p className="min-w-0 flex-1 basis-52 text-sm wrap-anywhere text-muted">
        {say('Your wallet {address} goes by {name}.', { address: shortenAddress(address), name })}
      </p>
      <Button look="secondary" className="max-w-full" pending={taking !== undefined} onClick={() => void take(offer)}>
        <AtSign size={18} aria-hidden="true" className="shrink-0" />
        <span className="min-w-0 py-2 wrap-anywhere">{labelOf(offer)}</span>
      </Button>
      {problems.length > 0 && (
        <p role="alert" className="basis-full text-sm font-medium text-danger">
          {problems.join(' ')}
        </p>
      )}
    </li>
  )
}

function labelOf({ name, isNew, withPicture }: NameToTake): string {
  if (!withPicture) return say('Use {name}', { name })
  return isNew ? say('Use {name} and its picture', { name }) : say('Use the picture of {name}', { name })
}

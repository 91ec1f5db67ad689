import { type Client, CountersignError, type User, useClient, useSaveUser, useUpload } from '@countersign/react'
import { shortenAddress } from '@countersign/react/chain'
import { request, type UserChanges } from '@countersign/react/core'
import { AtSign } from 'lucide-react'
import { useState } from 'react'
import { useChainRequest } from '../chain/useChainRequest.ts'
import { useChecksum } from '../chain/useChecksum.ts'
import { useNameChain } from '../chain/useNames.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/Button.tsx'
import { toasts } from '../ui/feedback/toasts.ts'
import { describeError } from '../ui/forms/describeError.ts'
import { useKeepFocus } from '../ui/useKeepFocus.ts'
import { findAvatar } from './Avatar.tsx'
import { needsStepUp } from './signIn/useConfirmation.ts'
import { squarePicture } from './squarePicture.ts'

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
  const chain = useNameChain()
  if (chain === undefined) return null
  return (
    <ul className="flex flex-col gap-2 empty:hidden">
      {addresses.map((address) => (
        <NameOffer key={address} user={user} chain={chain} address={address} {...calls} />
      ))}
    </ul>
  )
}

type NameOfferProps = {
  user: User
  chain: number
  address: string
  onTaken?: ((name: string) => void) | undefined
  onStepUp?: ((again: () => void) => void) | undefined
}

/** The name that a wallet goes by, if it has one. Its picture is fetched when it is taken, and not before. */
function NameOffer({ user, chain, address, onTaken, onStepUp }: NameOfferProps) {
  const found = useChainRequest('getAddress', { chain: String(chain), address })
  const checksum = useChecksum()
  const { take, taking, problems } = useAdoptName(onTaken, onStepUp)
  const { name = '', avatar } = found.status === 'success' ? found.data.result : {}
  const isNew = user.username !== name
  const withPicture = avatar !== undefined && !findAvatar(user)
  // A save shows immediately; the text stays until it is confirmed.
  const offer = taking ?? { chain, name, isNew, withPicture }
  const isOffered = name !== '' && (offer.isNew || offer.withPicture)
  useKeepFocus(isOffered ? 1 : 0)
  if (!isOffered) return null
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control bg-sunken p-4">
      <p className="min-w-0 flex-1 basis-52 text-sm wrap-anywhere text-muted">
        {t('Your wallet {address} has the name {name}.', { address: shortenAddress(checksum(address)), name })}
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

function labelOf({ name, isNew, withPicture }: NameToAdopt): string {
  if (!withPicture) return t('Use {name}', { name })
  return isNew ? t('Use {name} and its picture', { name }) : t('Use the picture of {name}', { name })
}

/** The name of a wallet, and what of it the account has not got yet. */
type NameToAdopt = { chain: number; name: string; isNew: boolean; withPicture: boolean }

/** Gives the account the name of a wallet and its picture. Where one of them cannot be had, the other is taken. */
function useAdoptName(onTaken?: (name: string) => void, onStepUp?: (again: () => void) => void) {
  const client = useClient()
  const { upload } = useUpload()
  const { saveUser } = useSaveUser()
  const [taking, setTaking] = useState<NameToAdopt>()
  const [problems, setProblems] = useState<readonly string[]>([])
  const tell = (problem: string) => setProblems((before) => [...before, problem])
  const onError = (error: CountersignError) => tell(describeError(error).message)
  const save = (changes: UserChanges, again: () => void) =>
    saveUser(changes, { onError: (error) => (onStepUp && needsStepUp(error) ? onStepUp(again) : onError(error)) })

  const draw = ({ chain, name }: NameToAdopt) =>
    fetchNamePicture(client, chain, name)
      .then(squarePicture)
      .catch((error: unknown) => {
        const isNoPicture = !(error instanceof CountersignError) || error.status === 404
        if (!isNoPicture) return onError(error)
        tell(t('The picture of {name} could not be loaded. Upload one instead.', { name }))
      })

  const take = async (wanted: NameToAdopt) => {
    const { name, isNew, withPicture } = wanted
    setTaking(wanted)
    setProblems([])
    const picture = withPicture ? await draw(wanted) : undefined
    const avatar = picture && (await upload({ file: picture, name: 'avatar' }, { onError }))
    // Apart from the name: that somebody else has it already must not cost the picture.
    const again = () => void take({ ...wanted, withPicture: false })
    if (avatar && (await save({ avatar }, again)) && !isNew) toasts.add(t('Picture saved.'), 'ok')
    if (isNew && (await save({ username: name }, again))) {
      onTaken?.(name)
      toasts.add(t('Your username is now {name}.', { name }), 'ok')
    }
    setTaking(undefined)
  }
  return { take, taking, problems }
}

/** The picture that a name shows of itself, as this server fetched it: the page loads nothing from other hosts. */
async function fetchNamePicture(client: Client, chain: number, name: string): Promise<Blob> {
  const { result } = await request(client, 'getNamePicture', { chain: String(chain), name })
  const bytes = Uint8Array.from(atob(result.base64), (letter) => letter.charCodeAt(0))
  return new Blob([bytes], { type: result.type })
}

import type { Nft } from '@countersign/react'
import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { useNftPicture } from '../../lib/chain/useNftPicture.ts'
import { say } from '../../lib/say.ts'

/** The picture of a collectible, from this server or from the token itself: no other host learns who looks. */
export function NftPicture({ nft, chain }: { nft: Nft; chain: number }) {
  const [isBroken, setBroken] = useState(false)
  const source = useNftPicture(nft, chain)
  if (source && !isBroken)
    return (
      <img
        src={source}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setBroken(true)}
        className="aspect-square w-full bg-sunken object-cover"
      />
    )
  return (
    <span className="grid aspect-square w-full place-items-center bg-sunken text-muted">
      <ImageOff size={26} aria-hidden="true" />
      <span className="sr-only">{say('No picture')}</span>
    </span>
  )
}

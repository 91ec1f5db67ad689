import { type Nft, useClient } from '@countersign/react'
import { request } from '@countersign/react/core'
import { useEffect, useState } from 'react'

/** Pictures that were shown lately: a list that scrolls back does not ask again. */
const known = new Map<string, string>()
const most = 300

/** Where the picture of a collectible is shown from: its own data or this server, never another host. */
export function useNftPicture({ token, tokenId, normalized }: Nft, chain: number): string | undefined {
  const client = useClient()
  const image = normalized?.image
  const isOwn = image ? /^data:image\//i.test(image) : false
  const key = `${chain} ${token} ${tokenId} ${image}`
  const [shown, setShown] = useState<{ key: string; source: string }>()
  const isWanted = Boolean(image) && !isOwn && !known.has(key)
  useEffect(() => {
    if (!isWanted) return
    const control = new AbortController()
    request(client, 'getNftPicture', { chain: String(chain), token, id: tokenId }, { signal: control.signal }).then(
      ({ result }) => {
        const source = `data:${result.type};base64,${result.base64}`
        for (const oldest of known.keys()) if (known.size >= most) known.delete(oldest)
        known.set(key, source)
        if (!control.signal.aborted) setShown({ key, source })
      },
      () => {
        // The placeholder stays.
      },
    )
    return () => control.abort()
  }, [client, isWanted, key, chain, token, tokenId])
  if (isOwn && image) return image
  return known.get(key) ?? (shown?.key === key ? shown.source : undefined)
}

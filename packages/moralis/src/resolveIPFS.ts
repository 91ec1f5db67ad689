const scheme = 'ipfs://'

/**
 * Gateway URL for an `ipfs://` address; other addresses are unchanged.
 *
 * @example
 * resolveIPFS('ipfs://bafy…/1.png') // 'https://gateway.ipfs.io/ipfs/bafy…/1.png'
 */
export function resolveIPFS<Url extends string | null | undefined>(url?: Url): Url | string {
  if (typeof url !== 'string' || !url.startsWith(scheme)) return url as Url
  return `https://gateway.ipfs.io/ipfs/${url.slice(scheme.length)}`
}

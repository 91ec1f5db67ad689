import type { NftSettings } from '../../config/nftSettings.ts'

const contentPath = /^(Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{20,120})(\/[^\s]*)?$/

/**
 * The http(s) address that a URI of an NFT is read from; undefined for what is none that can be fetched. Content of
 * IPFS is read through the configured gateway, whichever gateway a link of the form ipfs://… names.
 */
export function resolveUri({ gateway, arweaveGateway }: NftSettings, uri: string): string | undefined {
  const text = uri.trim()
  const content = text.replace(/^ipfs:\/\/(ipfs\/)*/i, '').replace(/^\/ipfs\//, '')
  if (contentPath.test(content)) return `${gateway}${escapePath(content)}`
  const [, transaction] = /^ar:\/\/([A-Za-z0-9_-]{43}(?:\/[^\s]*)?)$/.exec(text) ?? []
  if (transaction) return `${arweaveGateway}${escapePath(transaction)}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** A path must not climb out of the gateway's folder, nor become a query of it. */
function escapePath(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '..' && part !== '.')
    .map((part) => encodeURIComponent(decode(part)))
    .filter((part) => !/^(\.|%2e)+$/i.test(part))
    .join('/')
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

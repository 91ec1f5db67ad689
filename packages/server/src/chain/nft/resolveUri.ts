import type { NftSettings } from '../../config/nftSettings.ts'

/** Where a document lies. */
export type Place = {
  url: string
  /** Whose document it is: a host; of a gateway the id of the content, since that is what is slow, and not the gateway. */
  host: string
  /**
   * The address of a gateway that the operator named, put together here from the id of a content. What a stranger wrote
   * is never ours, even where it leads to the gateway: it might name another path there.
   */
  isOurs: boolean
}

const contentId = /^(Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{20,120})$/
const transactionId = /^[A-Za-z0-9_-]{43}$/

/**
 * Where a URI of an NFT leads; undefined for what is none that can be fetched. Content of IPFS is read through the
 * configured gateway, whichever gateway a link of the form ipfs://… names.
 */
export function resolveUri({ gateway, arweaveGateway }: NftSettings, uri: string): Place | undefined {
  const text = uri.trim()
  const content = text.replace(/^ipfs:\/\/(ipfs\/)*/i, '').replace(/^\/ipfs\//, '')
  if (contentId.test(content.split('/', 1)[0] ?? '')) return build(gateway, content)
  const [, transaction] = /^ar:\/\/(.+)$/i.exec(text) ?? []
  if (transaction)
    return transactionId.test(transaction.split('/', 1)[0] ?? '') ? build(arweaveGateway, transaction) : undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? strange(url) : undefined
}

/** Where a gateway redirects to: a content of its own is put together again, anything else is the address of a stranger. */
export function resolveRedirect({ gateway, arweaveGateway }: NftSettings, from: Place, url: URL): Place {
  const folder = [gateway, arweaveGateway].find((each) => url.href.startsWith(new URL(each).href))
  if (!from.isOurs || folder === undefined) return strange(url)
  const path = `${url.origin}${url.pathname}`.slice(new URL(folder).href.length)
  const isContent = (folder === gateway ? contentId : transactionId).test(path.split('/', 1)[0] ?? '')
  return (isContent && build(folder, path)) || strange(url)
}

const strange = (url: URL): Place => ({ url: url.href, host: url.host, isOurs: false })

/** Parts are read and written again. One that could climb, whatever the gateway makes of it, is none of a content. */
function build(folder: string, path: string): Place | undefined {
  if (/\s/.test(path)) return undefined
  const parts: string[] = []
  for (const part of path.split('/')) {
    const name = decode(part)
    if (name === undefined || climbs.test(name)) return undefined
    parts.push(encodeURIComponent(name))
  }
  return { url: `${folder}${parts.join('/')}`, host: parts[0] ?? '', isOurs: true }
}

// Dots alone; slashes of both kinds, and what a second reading would make one of these; signs that nobody sees.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const climbs = /^\.+$|[/\\\u0000-\u001f\u007f]|%(2e|2f|5c|25)/i

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { NftSettings } from '../../config/nftSettings.ts'
import { isPublicAddress, lookupPublic } from '../../network/publicAddress.ts'
import { readLimited } from '../../network/readLimited.ts'

const mostRedirects = 3

export type Fetched = { type: string; bytes: Buffer }

type Parts = {
  settings: NftSettings
  /** Types that are read; others are refused by their name, before their content comes. */
  accepts: (type: string) => boolean
  signal: AbortSignal
}

/**
 * Reads a document of a stranger: the minter of an NFT chooses the address. Every hop is judged again and may lead to
 * the internet alone, except to what we put together for the gateway that the operator named; size, type, redirects and
 * time are bounded.
 */
export async function fetchDocument(from: Place, { settings, accepts, signal }: Parts): Promise<Fetched> {
  const limit = AbortSignal.timeout(settings.timeout)
  const control = AbortSignal.any([limit, signal])
  let place = from
  try {
    for (let hops = 0; hops <= mostRedirects; hops++) {
      const response = await get(place, settings, control)
      const status = response.statusCode ?? 0
      if (status >= 300 && status < 400 && response.headers.location) {
        response.destroy()
        place = resolveRedirect(settings, place, follow(new URL(place.url), response.headers.location))
        continue
      }
      if (status !== 200) {
        response.destroy()
        throw new Error(`The host responded with status ${status}.`)
      }
      return await read(response, settings.maxSize, accepts)
    }
  } catch (error) {
    if (limit.aborted) throw new Error(`No response within ${settings.timeout} milliseconds.`)
    throw error
  }
  throw new Error(`More than ${mostRedirects} redirects.`)
}

function follow(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined
  if (!to || !/^https?:$/.test(to.protocol)) throw new Error('The host redirects to an invalid URL.')
  if (from.protocol === 'https:' && to.protocol === 'http:') throw new Error('The host redirects to plain http.')
  return to
}

function get(place: Place, settings: NftSettings, signal: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(place.url)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // The operator's own gateway may be in a private network. Its redirects may not lead there.
  const trusted = settings.allowPrivateAddresses || place.isOurs
  return new Promise((resolve, reject) => {
    if (url.username || url.password) return reject(new Error('The URL contains a password.'))
    if (!place.isOurs && settings.hosts && !settings.hosts.includes(host)) {
      return reject(
        new Error(
          `${host.slice(0, 100)} is not a host that this server may connect to. The operator can add it to nft.hosts.`,
        ),
      )
    }
    if (isIP(host) && !trusted && !isPublicAddress(host)) return reject(refusal(host))
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(
      url,
      {
        headers: { accept: 'application/json, text/plain;q=0.9, */*;q=0.5', 'accept-encoding': 'identity' },
        agent: false,
        signal,
        ...(!trusted && { lookup: lookupPublic(refusal) }),
      },
      resolve,
    )
    request.on('error', reject)
    request.end()
  })
}

async function read(response: IncomingMessage, maxSize: number, accepts: Parts['accepts']): Promise<Fetched> {
  const type = (response.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const encoding = response.headers['content-encoding'] ?? 'identity'
  const tooLarge = () => new Error(`The document is larger than ${maxSize} bytes.`)
  try {
    if (!accepts(type)) throw new Error(`The document is of the type ${type.slice(0, 60)}.`)
    // Unpacking would need a limit of its own, and we said that we take none.
    if (encoding !== 'identity') throw new Error('The response is compressed, which is not supported.')
    if (Number(response.headers['content-length'] ?? 0) > maxSize) throw tooLarge()
    return { type, bytes: await readLimited(response, maxSize, tooLarge) }
  } finally {
    response.destroy()
  }
}

function refusal(host: string): Error {
  return new Error(`${host.slice(0, 100)} is in a private network. To allow it, set nft.allowPrivateAddresses.`)
}

export type DataUri = { type: string; bytes: Buffer }

/** Reads a `data:` URI, or returns undefined. Contracts often leave the text unescaped. */
export function readDataUri(uri: string): DataUri | undefined {
  const [, head, body] = /^data:([^,]{0,200}),([\s\S]*)$/i.exec(uri) ?? []
  if (head === undefined || body === undefined) return undefined
  const [type = '', ...parameters] = head.split(';').map((part) => part.trim().toLowerCase())
  const bytes = parameters.includes('base64') ? Buffer.from(decode(body), 'base64') : Buffer.from(decode(body))
  return { type: type || 'text/plain', bytes }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Location of a document. */
export type Place = {
  url: string
  /** Owner of the document: a host, or the content id at a gateway, because the content is slow, not the gateway. */
  host: string
  /**
   * True for a gateway address of the operator, built here from a content id. An address written by a stranger is not,
   * even at the gateway: it might name another path there.
   */
  isOurs: boolean
}

const contentId = /^(Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{20,120})$/

const transactionId = /^[A-Za-z0-9_-]{43}$/

/**
 * Resolves the URI of an NFT, or returns undefined if it cannot be fetched. IPFS content is read through the configured
 * gateway, whichever gateway an ipfs:// link names.
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

/**
 * Resolves a gateway's redirect: its own content is rebuilt from the id, any other target counts as a stranger's
 * address.
 */
function resolveRedirect({ gateway, arweaveGateway }: NftSettings, from: Place, url: URL): Place {
  const folder = [gateway, arweaveGateway].find((each) => url.href.startsWith(new URL(each).href))
  if (!from.isOurs || folder === undefined) return strange(url)
  const path = `${url.origin}${url.pathname}`.slice(new URL(folder).href.length)
  const isContent = (folder === gateway ? contentId : transactionId).test(path.split('/', 1)[0] ?? '')
  return (isContent && build(folder, path)) || strange(url)
}

const strange = (url: URL): Place => ({ url: url.href, host: url.host, isOurs: false })

/** Parses and rebuilds the path. A part that could climb is rejected. */
function build(folder: string, path: string): Place | undefined {
  if (/\s/.test(path)) return undefined
  const parts: string[] = []
  for (const part of path.split('/')) {
    const name = decodePathPart(part)
    if (name === undefined || climbs.test(name)) return undefined
    parts.push(encodeURIComponent(name))
  }
  return { url: `${folder}${parts.join('/')}`, host: parts[0] ?? '', isOurs: true }
}

// Dots alone; slashes of both kinds, and what a second reading would make one of these; signs that nobody sees.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const climbs = /^\.+$|[/\\\u0000-\u001f\u007f]|%(2e|2f|5c|25)/i

function decodePathPart(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

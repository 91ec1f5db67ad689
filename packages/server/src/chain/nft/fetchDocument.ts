import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { NftSettings } from '../../config/nftSettings.ts'
import { isPublicAddress } from '../../context/isPublicAddress.ts'
import { lookupPublic } from '../../context/lookupPublic.ts'
import { type Place, resolveRedirect } from './resolveUri.ts'

const mostRedirects = 3

export type Fetched = { type: string; bytes: Buffer }

type Parts = {
  settings: NftSettings
  /** Types that are read; others are refused by their name, before their content comes. */
  accepts: (type: string) => boolean
  signal: AbortSignal
}

/**
 * Reads a document of a stranger: whoever mints an NFT chooses the address. Every hop is judged again and may lead to
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
        throw new Error(`The host answered with the status ${status}.`)
      }
      return await read(response, settings.maxSize, accepts)
    }
  } catch (error) {
    if (limit.aborted) throw new Error(`No answer within ${settings.timeout} milliseconds.`)
    throw error
  }
  throw new Error(`More than ${mostRedirects} redirects.`)
}

function follow(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined
  if (!to || !/^https?:$/.test(to.protocol)) throw new Error('The host redirects to what is no web address.')
  if (from.protocol === 'https:' && to.protocol === 'http:') throw new Error('The host redirects to plain http.')
  return to
}

function get(place: Place, settings: NftSettings, signal: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(place.url)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A gateway of the operator's own may stand in a private network. What it redirects to may not.
  const trusted = settings.allowPrivateAddresses || place.isOurs
  return new Promise((resolve, reject) => {
    if (url.username || url.password) return reject(new Error('The address holds a password.'))
    if (!place.isOurs && settings.hosts && !settings.hosts.includes(host)) {
      return reject(new Error(`${host.slice(0, 100)} is none of the hosts that this server asks (nft.hosts).`))
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
    if (encoding !== 'identity') throw new Error('The host packs what it sends.')
    if (Number(response.headers['content-length'] ?? 0) > maxSize) throw tooLarge()
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxSize) throw tooLarge()
      chunks.push(chunk)
    }
    return { type, bytes: Buffer.concat(chunks) }
  } finally {
    response.destroy()
  }
}

function refusal(host: string): Error {
  return new Error(
    `${host.slice(0, 100)} leads into a private network, which nft.allowPrivateAddresses does not allow.`,
  )
}

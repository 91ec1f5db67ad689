import { get, isLoopback, NotProven, proveOwnership } from './proveOwnership.ts'

type FoundTarget = { origin: string; mount: string; appId: string; javascriptKey?: string | undefined }

/** Checks that the target may be attacked, then reads where its API is. */
export async function findTarget(
  text: string,
  { isOwn, token }: { isOwn: boolean; token: string | undefined },
): Promise<FoundTarget> {
  if (!URL.canParse(text)) throw new NotProven(`${text} is not a URL such as http://localhost:1337.`)
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) throw new NotProven('The URL must start with http:// or https://.')
  if (!isLoopback(url)) {
    if (!isOwn || token === undefined)
      throw new NotProven(
        `${url.host} is not on this machine. Attack only your own server: set attackTokenFile there, and give --i-own-this and --token-file.`,
      )
    await proveOwnership(url.origin, token)
  }
  const { status, text: config } = await get(`${url.origin}/config.json`)
  if (status !== 200)
    throw new NotProven(`${url.origin}/config.json responds with ${status}. Is this a Countersign server?`)
  const { appId, serverUrl, javascriptKey } = JSON.parse(config) as Record<string, string | undefined>
  if (appId === undefined || serverUrl === undefined) throw new NotProven(`${url.origin} is not a Countersign server.`)
  // The configuration may name a public address; requests go to the proven host alone.
  const mount = new URL(serverUrl, url.origin).pathname.replace(/\/$/, '')
  return { origin: url.origin, mount, appId, ...(javascriptKey !== undefined && { javascriptKey }) }
}

import { NodeFailure } from './NodeFailure.ts'

export type PostedText = { status: number; retryAfter: number | undefined; text: string }

/** Sends JSON to a node and reads what it answers, up to so many bytes. Throws NodeFailure. */
export async function postText(url: string, body: unknown, timeout: number, largest: number): Promise<PostedText> {
  // Credentials in an address are none that fetch takes.
  const address = new URL(url)
  const { username, password } = address
  address.username = ''
  address.password = ''
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(username && { authorization: `Basic ${credentials}` }) },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    const seconds = Number(response.headers.get('retry-after'))
    const text = await readText(response, largest)
    return { status: response.status, retryAfter: seconds > 0 ? seconds * 1_000 : undefined, text }
  } catch (error) {
    // What fetch says may hold the address, and the address a key.
    const { name, cause } = error as { name?: string; cause?: { code?: string } }
    if (name === 'TimeoutError') throw new NodeFailure(`no answer within ${timeout} ms`, false, true)
    throw new NodeFailure(`no connection (${cause?.code ?? name})`, false, name === 'TooLarge')
  }
}

async function readText(response: Response, largest: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > largest) throw Object.assign(new Error('too large'), { name: 'TooLarge' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

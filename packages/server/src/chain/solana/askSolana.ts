const largest = 32 * 1024 * 1024

export type RpcAnswer = { status: number; retryAfter: number | undefined; body: unknown }

/** Asks one node. Numbers that a double cannot hold, such as great balances, come as texts. */
export async function askSolana(
  url: string,
  method: string,
  params: readonly unknown[],
  timeout: number,
): Promise<RpcAnswer> {
  const address = new URL(url)
  const { username, password } = address
  address.username = ''
  address.password = ''
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(username && { authorization: `Basic ${credentials}` }) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    const seconds = Number(response.headers.get('retry-after'))
    const text = await readText(response)
    return { status: response.status, retryAfter: seconds > 0 ? seconds * 1_000 : undefined, body: readJson(text) }
  } catch (error) {
    // What fetch says may hold the address, and the address a key.
    const { name, cause } = error as { name?: string; cause?: { code?: string } }
    throw new Error(
      name === 'TimeoutError' ? `no answer within ${timeout} ms` : `no connection (${cause?.code ?? name})`,
    )
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > largest) throw Object.assign(new Error('too large'), { name: 'TooLarge' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/("(?:value|lamports)"\s*:\s*)(\d{16,})/g, '$1"$2"'))
  } catch {
    return undefined
  }
}

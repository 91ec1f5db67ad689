import { type PostedText, postText } from '../nodes/postText.ts'

const largest = 32 * 1024 * 1024

export type RpcAnswer = Omit<PostedText, 'text'> & { body: unknown }

/** Asks one node. Numbers that a double cannot hold, such as great balances, come as texts. */
export async function askSolana(
  url: string,
  method: string,
  params: readonly unknown[],
  timeout: number,
): Promise<RpcAnswer> {
  const { text, ...rest } = await postText(url, { jsonrpc: '2.0', id: 1, method, params }, timeout, largest)
  return { ...rest, body: readJson(text) }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/("(?:value|lamports)"\s*:\s*)(\d{16,})/g, '$1"$2"'))
  } catch {
    return undefined
  }
}

let count = 0

/** One JSON-RPC call to a node by HTTP. Its error keeps code and data (R16). */
export async function askNode(
  url: string,
  { method, params = [] }: { readonly method: string; readonly params?: readonly unknown[] },
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const answer: { result?: unknown; error?: { code?: number; message?: string; data?: unknown } } | undefined =
    await response.json().catch(() => undefined)
  if (answer?.error) throw Object.assign(new Error(answer.error.message), answer.error)
  if (!response.ok || !answer) {
    throw Object.assign(new Error(`The node answered ${response.status}.`), { code: -32603 })
  }
  return answer.result
}

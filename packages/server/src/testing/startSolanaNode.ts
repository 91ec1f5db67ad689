import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type StoredAccount = { owner: string; data: Buffer; parsed?: object }
type TokenAccount = { pubkey: string; mint: string; amount: string; decimals: number }

export type SolanaNode = {
  url: string
  slot: number
  /** Lamports by address, as text: some are more than a number holds. */
  balances: Map<string, string>
  /** By owner and program. */
  tokens: Map<string, TokenAccount[]>
  accounts: Map<string, StoredAccount>
  /** How often each method was asked for. */
  calls: Record<string, number>
  fault?: { status?: number; error?: { code: number; message: string }; hang?: boolean } | undefined
  stop(): Promise<void>
}

/**
 * Serves JSON-RPC like a Solana validator, with the envelopes and account encodings of the real one. No validator runs
 * in a test.
 */
export async function startSolanaNode(): Promise<SolanaNode> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
    node.calls[method] = (node.calls[method] ?? 0) + 1
    const { status = 200, error, hang } = node.fault ?? {}
    if (hang) return
    response.writeHead(status, { 'content-type': 'application/json' })
    if (status !== 200) return response.end('{}')
    const answer = error ? JSON.stringify({ error }) : answerOf(method, params)
    response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer.slice(1)}`)
  })

  const withContext = (value: string) =>
    `{"result":{"context":{"apiVersion":"2.1.0","slot":${node.slot}},"value":${value}}}`

  function answerOf(method: string, params: unknown[]): string {
    if (method === 'getBalance') return withContext(node.balances.get(String(params[0])) ?? '0')
    if (method === 'getTokenAccountsByOwner') {
      const { programId } = params[1] as { programId: string }
      const held = node.tokens.get(`${params[0]} ${programId}`) ?? []
      return withContext(JSON.stringify(held.map((each) => parsedAccount(each, String(params[0]), programId))))
    }
    if (method === 'getMultipleAccounts') {
      const { encoding } = params[1] as { encoding: string }
      const list = params[0] as string[]
      if (list.length > 100) return '{"error":{"code":-32602,"message":"Too many inputs provided; max 100"}}'
      return withContext(JSON.stringify(list.map((address) => storedAccount(address, encoding))))
    }
    return '{"error":{"code":-32601,"message":"Method not found"}}'
  }

  function storedAccount(address: string, encoding: string): object | null {
    const account = node.accounts.get(address)
    if (!account) return null
    const { owner, data, parsed } = account
    const shown = encoding === 'jsonParsed' && parsed ? parsed : [data.toString('base64'), 'base64']
    return { data: shown, executable: false, lamports: 5616720, owner, rentEpoch: 0, space: data.length }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const node: SolanaNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    slot: 250_000_000,
    balances: new Map(),
    tokens: new Map(),
    accounts: new Map(),
    calls: {},
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return node
}

function parsedAccount({ pubkey, mint, amount, decimals }: TokenAccount, owner: string, programId: string) {
  const uiAmount = Number(amount) / 10 ** decimals
  const info = {
    isNative: false,
    mint,
    owner,
    state: 'initialized',
    tokenAmount: { amount, decimals, uiAmount, uiAmountString: String(uiAmount) },
  }
  return {
    account: {
      data: { parsed: { info, type: 'account' }, program: 'spl-token', space: 165 },
      executable: false,
      lamports: 2039280,
      owner: programId,
      rentEpoch: 0,
      space: 165,
    },
    pubkey,
  }
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createNodeMethods, refuse } from '../chain/createNodeMethods.ts'
import { createProvider } from '../chain/createProvider.ts'
import type { RpcError } from '../chain/RpcError.ts'
import { toRpcError } from '../chain/toRpcError.ts'
import { type Ask, createJournal } from './createJournal.ts'

export type Node = { url: string; chainId: number; request: Ask; stop(): Promise<void> }

type Call = { id?: unknown; method: string; params?: unknown[] }

const usualPort = 8545
const mostBytes = 4_000_000

// Any page in the browser may send requests to this machine: the accounts that the node itself holds are not for them.
const isOpen = (method: string) =>
  /^(eth|net|web3)_|^debug_trace/.test(method) && !/^eth_(sendTransaction|sign.*|accounts)$/.test(method)

/** The chain of the demo: an EVM in this process, behind JSON-RPC, that comes back as it was. */
export async function startNode({
  chainId,
  genesisTime,
  journal,
}: {
  chainId: number
  genesisTime: number
  journal: string
}): Promise<Node> {
  const provider = await createProvider({ chainId, hardfork: 'prague', genesisTime })
  const journaled = await createJournal(journal, async (method, params = []) => {
    const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const { result, error } = typeof data === 'string' ? JSON.parse(data) : data
    if (error) throw toRpcError(error)
    return result as unknown
  })
  const request = createNodeMethods(journaled, { finality: 8 })

  const answer = async ({ id, method, params }: Call) => {
    const head = { jsonrpc: '2.0', id: id ?? null }
    try {
      if (!isOpen(method)) throw refuse(-32601, `the method ${method} does not exist/is not available`)
      return { ...head, result: (await request(method, params)) ?? null }
    } catch (error) {
      const { code = -32603, message, data } = error as Partial<RpcError>
      return { ...head, error: { code, message, data } }
    }
  }
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await read(incoming)) as Call | Call[]
    const answers = Array.isArray(body) ? await Promise.all(body.map(answer)) : await answer(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers))
  }
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.writeHead(400).end())
  })
  const port = await listen(server, usualPort).catch(() => listen(server, 0))

  const stop = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { url: `http://127.0.0.1:${port}`, chainId, request, stop }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length
    if (size > mostBytes) throw new Error('too large')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Chain, Faults } from './Chain.ts'
import { createHistory } from './createHistory.ts'
import { createLimits } from './createLimits.ts'
import { createNodeMethods } from './createNodeMethods.ts'
import { createProvider, type Hardfork } from './createProvider.ts'
import type { RpcError } from './RpcError.ts'
import { deploySmartAccountFactory } from './smartAccounts/deploySmartAccountFactory.ts'
import { toRpcError } from './toRpcError.ts'

type Request = { id?: unknown; method: string; params?: unknown[] }

/** A chain of its own behind a JSON-RPC node on a free port of this machine. */
export async function startChain({
  chainId = 31_337,
  hardfork = 'prague',
}: {
  chainId?: number
  hardfork?: Hardfork
} = {}): Promise<Chain> {
  const provider = await createProvider({ chainId, hardfork })
  const faults: Faults = { down: false, latencyMs: 0, calls: {}, requests: 0 }
  const settings = { finality: 0 }

  const askProvider = async (method: string, params: unknown[] = []) => {
    const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const { result, error } = typeof data === 'string' ? JSON.parse(data) : data
    if (error) throw toRpcError(error)
    return result as unknown
  }
  const history = createHistory(askProvider)
  const request = createNodeMethods(history.ask, settings)
  const limited = createLimits(request, faults)
  const isTooMuch = createRate(faults)

  const ask = async ({ method, params = [] }: Request) => {
    if (!faults.answer) return limited(method, params)
    const real = await limited(method, params).catch((error: RpcError) => error)
    const failed = real instanceof Error
    const answer = await faults.answer(method, params, failed ? undefined : real)
    if (answer !== undefined) return answer
    if (failed) throw real
    return real
  }

  const answer = async (call: Request) => {
    const head = { jsonrpc: '2.0', id: call.id ?? null }
    try {
      return { ...head, result: (await ask(call)) ?? null }
    } catch (error) {
      const { code = -32603, message, data } = error as Partial<RpcError>
      return { ...head, error: { code, message, data } }
    }
  }

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    if (faults.down) return incoming.socket.destroy()
    const body = JSON.parse(await read(incoming)) as Request | Request[]
    faults.requests++
    for (const { method } of [body].flat()) faults.calls[method] = (faults.calls[method] ?? 0) + 1
    if (faults.latencyMs > 0) await delay(faults.latencyMs, undefined, { ref: false })
    if (faults.down) return incoming.socket.destroy()
    if (faults.status) return response.writeHead(faults.status, { 'content-type': 'text/plain' }).end('out of order')
    if (isTooMuch([body].flat().length)) return response.writeHead(429).end('too many requests')
    if (faults.noBatch && Array.isArray(body)) return response.writeHead(400).end('batches are not taken')
    if (faults.body !== undefined) return response.writeHead(200, { 'content-type': 'text/html' }).end(faults.body)
    const answers = Array.isArray(body) ? await Promise.all(body.map(answer)) : await answer(body)
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers))
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.writeHead(400).end())
  })
  server.on('connection', (socket) => {
    if (faults.down) socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const stop = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  const mine = async (blocks = 1) => {
    for (let made = 0; made < blocks; made++) await request('evm_mine')
  }

  const chain = Object.assign(settings, {
    url: `http://127.0.0.1:${port}`,
    chainId,
    request,
    mine,
    reorg: history.reorg,
    faults,
    stop,
  })
  await deploySmartAccountFactory(chain)
  return chain
}

/** Counts within seconds, as gateways do. A second starts with its first call, so that no burst falls into two. */
const createRate = (faults: Faults) => {
  let started = Number.NEGATIVE_INFINITY
  let count = 0
  return (calls: number) => {
    const now = performance.now()
    if (now - started >= 1_000) [started, count] = [now, 0]
    count += calls
    return faults.rps !== undefined && count > faults.rps
  }
}

const read = async (incoming: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

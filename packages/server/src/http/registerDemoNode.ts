import type { FastifyInstance } from 'fastify'
import { getChains } from '../chain/nodes/getChains.ts'
import { NodeError } from '../chain/nodes/NodeError.ts'
import type { Context } from '../context/Context.ts'
import { parseJson } from '../encoding/parseJson.ts'
import { isForwarded } from '../network/clientAddress.ts'
import { readLimited, readRequest } from '../network/readLimited.ts'
import { answerError } from './request/answerError.ts'
import type { RateLimiter } from './request/createRateLimiter.ts'

const mostBytes = 128 * 1024

const path = '/demo/node'

/** Ids that development nodes use by default. */
const localChains = new Set([1_337, 31_337])

/** Allowlist: reads of one account or transaction, and signed transactions. */
const methods = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
])

/**
 * Chains of the demo wallet with the address of their node. Local chains only: its key lies open in the browser, and
 * nodes of public chains are paid for by the operator.
 */
export function listDemoChains({ config }: Context): { id: number; rpcUrls: string[] }[] {
  if (config.production) return []
  return config.chains
    .filter(({ id, rpcUrls }) => rpcUrls.length > 0 && (localChains.has(id) || rpcUrls.every(isLoopback)))
    .map(({ id }) => ({ id, rpcUrls: [`${path}/${id}`] }))
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** Passes calls of the demo wallet on to the node of a local chain, which pages cannot reach. */
export function registerDemoNode(app: FastifyInstance, context: Context, limiter: RateLimiter): void {
  const served = new Set(listDemoChains(context).map(({ id }) => id))
  if (served.size === 0) return
  app.post(`${path}/:chain`, async (request, reply) => {
    try {
      await limiter.count({ method: 'POST', path, address: request.ip, isForwarded: isForwarded(request) })
      const id = Number((request.params as { chain: string }).chain)
      const call = await readCall(request.body)
      if (!served.has(id) || !call) return reply.code(404).send(fail(null, -32600, 'Invalid request.'))
      if (!methods.has(call.method))
        return reply.send(fail(call.id, -32601, 'The demo wallet does not use this method.'))
      const chain = getChains(context).get(id)
      try {
        const result = await chain.request(call.method, call.params, { keep: 'none' })
        return reply.send({ jsonrpc: '2.0', id: call.id, result: result ?? null })
      } catch (error) {
        if (!(error instanceof NodeError)) throw error
        return reply.send(fail(call.id, error.rpcCode ?? -32603, error.said ?? error.message, error.data))
      }
    } catch (error) {
      return answerError(reply, error, context.log)
    }
  })
}

const fail = (id: unknown, code: number, message: string, data?: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && data !== '0x' && { data }) },
})

type Call = { id: number | null; method: string; params: unknown[] }

async function readCall(body: unknown): Promise<Call | undefined> {
  try {
    const text = await readLimited(readRequest(body), mostBytes)
    const { id, method, params = [] } = Object(parseJson(text)) as Record<string, unknown>
    if (typeof method !== 'string' || !Array.isArray(params) || params.length > 10) return undefined
    return { id: typeof id === 'number' ? id : null, method, params }
  } catch {
    return undefined
  }
}

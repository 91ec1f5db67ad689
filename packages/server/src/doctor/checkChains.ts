import { pino } from 'pino'
import { createChains } from '../chain/nodes/getChains.ts'
import type { Config } from '../config/Config.ts'
import { sql } from '../db/sql.ts'
import { readLimited } from '../network/readLimited.ts'
import { type Report, reasonOf } from './Finding.ts'
import type { Machine } from './Machine.ts'
import { openExisting } from './openExisting.ts'

const nobody = `0x${'0'.repeat(39)}1`
const mostBytes = 1024 * 1024
const oldHead = 15 * 60_000
const hex = (value: number) => `0x${value.toString(16)}`

type Chain = Config['chains'][number]

/** Asks each node that the configuration names; public nodes of well-known chains are not asked. */
export async function checkChains(config: Config, machine: Machine, report: Report): Promise<void> {
  await checkTokenGates(config, report)
  const { chains } = config
  const nodes = chains.flatMap((chain) => chain.rpcUrls.map((url) => ({ chain, url })))
  if (nodes.length === 0) return report.skipped('nodes', 'No chain node is configured.')
  for (const { chain, url } of nodes) await checkNode(chain, url, machine, report)
}

type GatedRole = { role: string; chain: number }

/** Finds token gates on chains without a node: nobody gets their role, and nothing else reports it. */
async function checkTokenGates(config: Config, report: Report): Promise<void> {
  const db = await openExisting(config)
  if (!db) return report.skipped('token gates', 'Not checked: the database is not available here.')
  try {
    const [there] = await db.query<{ gates: string | null }>(sql`select to_regclass('countersign.gates') as gates`)
    if (!there?.gates) return
    const gates = await db.query<GatedRole>(sql`
      select distinct r."name" as role, g.chain from countersign.gates g
      join public."_Role" r on r."objectId" = g.role
      order by g.chain, r."name"`)
    const known = createChains({ config, log: pino({ enabled: false }) })
    const unread = gates.filter(({ chain }) => known.find(chain) === undefined)
    for (const { role, chain } of unread)
      report.fault(
        'token gates',
        `The role "${role}" has a token gate on chain ${chain}, which is not configured.`,
        'The gate cannot be checked, so it grants the role to nobody.',
        `Add { id: ${chain}, rpcUrls: [...] } to chains, or delete the gate.`,
      )
    if (unread.length === 0) report.ok('token gates', `The chains of ${gates.length} gated roles are configured.`)
  } finally {
    await db.close()
  }
}

async function checkNode(chain: Chain, url: string, machine: Machine, report: Report): Promise<void> {
  // The path and the query of such an address often hold a key.
  const name = `chain ${chain.id} at ${new URL(url).host}`
  const ask = <Answer>(method: string, ...params: unknown[]) => askNode<Answer>(url, chain.timeout, method, params)
  try {
    const id = Number(await ask<string>('eth_chainId'))
    if (id !== chain.id) {
      return report.fault(
        name,
        `The node belongs to chain ${id}.`,
        'The node is not used, because its data belongs to another chain.',
        `Correct the id of the chain or its rpcUrls.`,
      )
    }
    const head = await ask<{ number: string; timestamp: string }>('eth_getBlockByNumber', 'latest', false)
    const age = machine.now() - Number(head.timestamp) * 1000
    if (age > oldHead) {
      report.warning(
        name,
        `Its newest block is ${Math.round(age / 60_000)} minutes old.`,
        'The node is behind, or the chain has stopped. Balances and contract accounts are out of date.',
        'Wait until the node has caught up, or put another node first.',
      )
    } else report.ok(name, `Block ${Number(head.number)}, ${Math.max(0, Math.round(age / 1000))} s old.`)
    await checkArchive(name, ask, Number(head.number), report)
    await checkLogs(name, ask, chain, Number(head.number), report)
  } catch (error) {
    report.fault(
      name,
      reasonOf(error),
      'This node is not used. Contract accounts on its chain cannot sign in unless another node responds.',
      'Check the URL, its key, and that this machine can reach it.',
    )
  }
}

type AskNode = <Answer>(method: string, ...params: unknown[]) => Promise<Answer>

async function checkArchive(name: string, ask: AskNode, head: number, report: Report): Promise<void> {
  if (head < 1_000) return
  const refusal = await ask('eth_getBalance', nobody, hex(1)).then(() => undefined, reasonOf)
  if (refusal === undefined) return report.ok(`${name}, archive`, 'The node has the balances of old blocks.')
  report.warning(
    `${name}, archive`,
    `The node has no balances of old blocks: ${refusal}`,
    'Requests for past blocks and value history fail unless another node is an archive node.',
    'If you need past blocks, add an archive node after this one. Otherwise, no action is needed.',
  )
}

async function checkLogs(name: string, ask: AskNode, chain: Chain, head: number, report: Report): Promise<void> {
  const range = chain.index?.maxRange
  if (!range || chain.index?.mode === 'off') return
  const span = { fromBlock: hex(Math.max(0, head - range + 1)), toBlock: hex(head), address: nobody }
  const refusal = await ask('eth_getLogs', span).then(() => undefined, reasonOf)
  if (refusal === undefined) return report.ok(`${name}, logs`, `The node returns logs of ${range} blocks per request.`)
  report.warning(
    `${name}, logs`,
    `The node does not return logs of ${range} blocks per request: ${refusal}`,
    'The indexer reduces the range until the node responds, so indexing old blocks is slow.',
    'Set index.maxRange of the chain to what the node allows, or use another node.',
  )
}

async function askNode<Answer>(url: string, timeout: number, method: string, params: unknown[]): Promise<Answer> {
  const { username, password, href } = new URL(url)
  const target = new URL(href)
  target.username = ''
  target.password = ''
  const response = await fetch(target, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(username && {
        Authorization: `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}`,
      }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  })
  const text = (await readLimited(response.body, mostBytes)).toString('utf8')
  const answer = parse(text)
  if (answer?.error) throw new Error(answer.error.message ?? 'The node refused.')
  if (!response.ok || answer?.result === undefined || answer.result === null) {
    throw new Error(`HTTP ${response.status} without a result of ${method}`)
  }
  return answer.result as Answer
}

function parse(text: string): { result?: unknown; error?: { message?: string } } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

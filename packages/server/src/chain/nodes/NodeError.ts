import { CountersignError, type NamedReason, reasons } from '@countersign/protocol'

/**
 * Kind of failure: a contract reverted (`revert`); the node lacks a method, old state or a block; the request was too
 * large (`tooMuch`); all nodes are busy or down; the node returned something impossible (`nonsense`); or any other
 * error.
 */
export type NodeErrorKind =
  | 'revert'
  | 'missingMethod'
  | 'missingState'
  | 'unknownBlock'
  | 'tooMuch'
  | 'busy'
  | 'down'
  | 'nonsense'
  | 'other'

const reasonOfKind: Record<NodeErrorKind, NamedReason> = {
  revert: 'callReverted',
  missingMethod: 'nodeMethodMissing',
  missingState: 'nodeStateMissing',
  unknownBlock: 'blockNotFound',
  tooMuch: 'rangeTooLarge',
  busy: 'nodeBusy',
  down: 'nodeUnavailable',
  nonsense: 'nodeInvalidResponse',
  other: 'nodeRefused',
}

type Parts = { message: string; details?: string; said?: string; rpcCode?: number; data?: string }

/** A node's error, with a sentence for the caller. Never names the node, whose address may contain a key. */
export class NodeError extends CountersignError {
  override readonly name = 'NodeError'
  readonly kind: NodeErrorKind
  /** The node's own message: some name the size that would be accepted. */
  readonly said: string | undefined
  readonly rpcCode: number | undefined
  /** Revert data of the contract. */
  readonly data: `0x${string}`

  constructor(kind: NodeErrorKind, { message, details, said, rpcCode, data }: Parts) {
    const reason = reasonOfKind[kind]
    const params = said === undefined ? undefined : { said }
    super(reasons[reason].code, message, {
      reason,
      ...(params && { params }),
      ...(details !== undefined && { details }),
    })
    this.kind = kind
    this.said = said
    this.rpcCode = rpcCode
    this.data = data?.startsWith('0x') ? (data as `0x${string}`) : '0x'
  }
}

/** Failure of a node. `busy`: it works, but not now. `tooLong`: the response took too long or was too large. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'
  readonly busy: boolean
  readonly tooLong: boolean

  constructor(message: string, busy = false, tooLong = false) {
    super(message)
    this.busy = busy
    this.tooLong = tooLong
  }
}

type RpcFault = { code?: unknown; message?: unknown; data?: unknown }

/** Error messages of nodes and gateways by kind. The first match counts. */
const patterns: readonly [NodeErrorKind, RegExp][] = [
  ['busy', /rate.?limit|too many requests|request limit|exceeded.*(capacity|quota)|per second|throttl|\b429\b/i],
  [
    'missingState',
    /missing trie node|state .*(not available|unavailable|pruned)|historical state|archive|state histor/i,
  ],
  ['missingState', /pruned|required historical|distance to target block exceeds|layer stale|old data not available/i],
  ['missingMethod', /method .*(not found|does not exist|not available|not supported|not allowed|unavailable)/i],
  ['missingMethod', /unsupported method|method_not_found|tracer not found|not whitelisted|unknown method/i],
  ['unknownBlock', /header not found|unknown block|block .*not found|cannot be found|beyond (the )?(current )?head/i],
  ['unknownBlock', /block (number|height) .*(future|out of range|greater)|invalid block number|after last/i],
  ['tooMuch', /block range|range (is )?too|exceeds? .*range|max.*(block|range|results|logs)|too (large|many|wide)/i],
  [
    'tooMuch',
    /query returned more|more than \d+ (results|logs|blocks)|response size|limit(ed)? to|timed? ?out|too big/i,
  ],
]

const sentences: Record<NodeErrorKind, string> = {
  revert: 'The contract call reverted',
  missingMethod: 'No node configured for this chain supports this request.',
  missingState: 'No node configured for this chain keeps the state of blocks that old.',
  unknownBlock: 'Block not found on this chain.',
  tooMuch: 'The range is too large for the nodes of this chain. Request fewer blocks.',
  busy: 'The nodes of this chain are busy. Try again in a moment.',
  down: 'No node of this chain is responding. Try again later.',
  nonsense: 'The node of this chain returned an invalid response.',
  other: 'The node of this chain rejected the request',
}

const fixes: Partial<Record<NodeErrorKind, string>> = {
  missingMethod: 'Add a node that supports this method; see "chains" in docs/configuration.md.',
  missingState: 'Add an archive node; see "chains" in docs/configuration.md.',
  down: 'See "chains" in docs/configuration.md. The log shows the error of each node.',
}

/** Converts a JSON-RPC error to one with a kind and a sentence. */
export function readRpcError(fault: unknown, method: string): NodeError {
  const { code, message, data } = (fault ?? {}) as RpcFault
  // A JSON-RPC error has a code and a message; anything else is invalid.
  if (typeof code !== 'number' && typeof message !== 'string') return describeNodeError('nonsense', { method })
  const said = typeof message === 'string' ? message.slice(0, 500) : 'no reason given'
  const rpcCode = typeof code === 'number' ? code : undefined
  return describeNodeError(kindOf(rpcCode, said, method), {
    said,
    method,
    ...(rpcCode !== undefined && { rpcCode }),
    ...(typeof data === 'string' && { data }),
  })
}

type Known = { said?: string; method?: string; rpcCode?: number; data?: string }

export function describeNodeError(kind: NodeErrorKind, { method, ...rest }: Known = {}): NodeError {
  const open = kind === 'revert' || kind === 'other'
  const message = open ? `${sentences[kind]}${rest.said ? `: ${rest.said}` : '.'}` : sentences[kind]
  const details = [method && `Method: ${method}.`, fixes[kind]].filter(Boolean).join(' ')
  return new NodeError(kind, { message, ...(details && { details }), ...rest })
}

function kindOf(code: number | undefined, said: string, method: string): NodeErrorKind {
  if (code === 3 || /revert/i.test(said)) return 'revert'
  if (code === -32601) return 'missingMethod'
  if (code === 429) return 'busy'
  const kind = patterns.find(([, pattern]) => pattern.test(said))?.[0]
  // A limit of results is a limit of logs; anywhere else the words mean something else.
  if (kind === 'tooMuch' && method !== 'eth_getLogs') return 'other'
  if (code === -32005) return method === 'eth_getLogs' ? (kind ?? 'tooMuch') : 'busy'
  // Out of gas, invalid opcode and their kin: the contract failed, whatever node is asked.
  if (method === 'eth_call' && /out of gas|invalid opcode|stack|invalid jump|vm execution/i.test(said)) return 'revert'
  return kind ?? 'other'
}

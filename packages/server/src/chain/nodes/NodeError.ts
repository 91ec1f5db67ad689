import { CountersignError, type NamedReason, reasons } from '@countersign/protocol'

/**
 * What is the matter: a contract refused (`revert`); the node lacks a method, old state or a block; it will not answer
 * as much as was asked for (`tooMuch`); all nodes are busy or down; the node answered with something that cannot be (`nonsense`); or something else that it said.
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

/** An error that a node answered, in words for the caller. Never names the node, whose address may hold a key. */
export class NodeError extends CountersignError {
  override readonly name = 'NodeError'
  readonly kind: NodeErrorKind
  /** What the node itself said: some say in words how much would be right. */
  readonly said: string | undefined
  readonly rpcCode: number | undefined
  /** What a contract reverted with. */
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

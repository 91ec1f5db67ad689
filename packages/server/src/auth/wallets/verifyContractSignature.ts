import { createHash } from 'node:crypto'
import { CountersignError } from '@countersign/protocol'
import type { Config } from '../../config/Config.ts'
import { hashCode } from '../../encoding/hashCode.ts'
import { parseJson } from '../../encoding/parseJson.ts'
import { readLimited } from '../../network/readLimited.ts'
import { hashPersonalMessage } from './SignInMessage.ts'

/**
 * The creation code of testing/chain/contracts/UndeployedCheck.sol, as compile.mjs writes it. A node runs it by eth_call with
 * account, hash, signature, factory and deployment behind it; this deploys nothing.
 */
export const undeployedCheck =
  '0x608060405234801561001057600080fd5b506040516103bc3803806103bc83398101604081905261002f916102aa565b600061003e868686868661004a565b90508060005260206000f35b60006001600160a01b0386163b15610064575060026101c2565b6000836001600160a01b03168360405161007e919061033e565b6000604051808303816000865af19150503d80600081146100bb576040519150601f19603f3d011682016040523d82523d6000602084013e6100c0565b606091505b505090508015806100d957506001600160a01b0387163b155b156100e85760009150506101c2565b600080886001600160a01b0316888860405160240161010892919061035a565b60408051601f198184030181529181526020820180516001600160e01b0316630b135d3f60e11b1790525161013d919061033e565b600060405180830381855afa9150503d8060008114610178576040519150601f19603f3d011682016040523d82523d6000602084013e61017d565b606091505b509150915081801561019157506020815110155b80156101ab5750630b135d3f60e11b6101a982610394565b145b6101b65760006101b9565b60015b60ff1693505050505b95945050505050565b80516001600160a01b03811681146101e257600080fd5b919050565b634e487b7160e01b600052604160045260246000fd5b60005b83811015610218578181015183820152602001610200565b50506000910152565b600082601f83011261023257600080fd5b81516001600160401b0381111561024b5761024b6101e7565b604051601f8201601f19908116603f011681016001600160401b0381118282101715610279576102796101e7565b60405281815283820160200185101561029157600080fd5b6102a28260208301602087016101fd565b949350505050565b600080600080600060a086880312156102c257600080fd5b6102cb866101cb565b6020870151604088015191965094506001600160401b038111156102ee57600080fd5b6102fa88828901610221565b935050610309606087016101cb565b60808701519092506001600160401b0381111561032557600080fd5b61033188828901610221565b9150509295509295909350565b600082516103508184602087016101fd565b9190910192915050565b828152604060208201526000825180604084015261037f8160608501602087016101fd565b601f01601f1916919091016060019392505050565b805160208083015191908110156103b5576000198160200360031b1b821691505b5091905056fe'

type Chain = Config['chains'][number]

/** A text, and the signature that a wallet gave for it: as it is, or wrapped for an account that is not deployed yet. */
export type Signed = { text: string; signature: string }

export type ContractProof = {
  kind: 'contract' | 'delegated'
  /** Hash of the call that deploys the account, if it is not deployed yet. */
  deployment?: string
  /** Of the code that accepted it; null where the account is not deployed yet. */
  codeHash: string | null
  /** Code that the account hands calls on to (EIP-1967); null where it names none. */
  implementation: string | null
  /** For each earlier proof, whether the account accepts it now. */
  accepted: boolean[]
}

type Check = Signed & {
  chainId: number
  address: string
  /** Proofs from before the account was deployed, or of its last holder. */
  earlier: Signed[]
  /** Ends the check: the caller has left. */
  left: AbortSignal | undefined
}

/** An unwrapped signature. `deployment` is the call that ERC-6492 wraps around it. */
type Unwrapped = { bytes: Buffer; deployment?: { factory: Buffer; data: Buffer } }

/** Throws where the node fails; `reverted` where the contract did. */
type Ask = (method: string, params: unknown[]) => Promise<unknown>

const reverted = Symbol('reverted')

const accepts = '1626ba7e'

/** More than the code of the largest contract takes. */
const largestAnswer = 1024 * 1024

/** Calls per check: chain, block, code, implementation, and the call itself. */
const callsPerNode = 5

/** Storage slot of a proxy's implementation address (EIP-1967). */
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

/**
 * Verifies a contract's signature on the chain that the message names: deployed (ERC-1271), delegated (EIP-7702) or not
 * deployed yet (ERC-6492). Makes only plain calls to the operator's nodes, so a contract's response leads to no other
 * host. A node that fails, returns invalid data or serves another chain does not count. Without enough results the
 * sign-in fails.
 */
export async function verifyContractSignature(config: Config, check: Check): Promise<ContractProof | undefined> {
  const { chainId, earlier, left } = check
  const chain = findChain(config, chainId)
  const unwrapped = unwrap(check.signature)
  if (!unwrapped) return undefined
  const calls = callsPerNode + chain.quorum * (callsPerNode + earlier.length)
  const proofs = await askNodes(config, chain, calls, left, (ask) => askNode(ask, chain, check, unwrapped))
  const first = proofs?.[0]
  if (!proofs || !first) return undefined
  if (proofs.some((proof) => isOther(proof, first))) throw unchecked(chainId, 'Its nodes do not agree.')
  return { ...first, accepted: earlier.map((_, index) => proofs.every(({ accepted }) => accepted[index])) }
}

type Reading = { chainId: number; to: string; data: string; left: AbortSignal | undefined }

/**
 * Reads a contract by as many nodes as the chain's quorum. Returns `undefined` if there is no contract or it reverts.
 */
export async function readContract(config: Config, { chainId, to, data, left }: Reading): Promise<Buffer | undefined> {
  const chain = findChain(config, chainId)
  const answers = await askNodes(config, chain, callsPerNode * (chain.quorum + 1), left, async (ask) => {
    await checkChain(ask, chain)
    const result = await ask('eth_call', [{ to, data }, 'latest'])
    return result === reverted ? undefined : readHex(result)
  })
  const first = answers?.[0]
  if (first && answers?.some((answer) => !answer.equals(first))) throw unchecked(chainId, 'Its nodes do not agree.')
  return first
}

function findChain({ chains }: Config, chainId: number): Chain {
  const chain = chains.find(({ id }) => id === chainId)
  if (!chain) throw unchecked(chainId, 'No node of that chain is configured.')
  return chain
}

async function checkChain(ask: Ask, chain: Chain): Promise<void> {
  const id = readQuantity(await ask('eth_chainId', []))
  if (id !== BigInt(chain.id)) throw new Error(`the node belongs to chain ${id}`)
}

/** Asks as many nodes as the chain's quorum. `undefined` from one of them is enough to refuse. */
async function askNodes<Answer extends object>(
  { wallet }: Config,
  chain: Chain,
  mostCalls: number,
  left: AbortSignal | undefined,
  work: (ask: Ask) => Promise<Answer | undefined>,
): Promise<Answer[] | undefined> {
  // One deadline and one number of calls over all nodes: neither a list of dead nodes nor a slow one keeps us busy.
  const deadline = AbortSignal.timeout(wallet.checkTimeout)
  const over = left ? AbortSignal.any([deadline, left]) : deadline
  let calls = mostCalls
  const answers: Answer[] = []
  let failure: unknown
  for (const url of chain.rpcUrls) {
    if (answers.length === chain.quorum || over.aborted || calls <= 0) break
    const ask: Ask = (method, params) => {
      if (calls-- <= 0) throw new Error('too many calls')
      return callNode(url, method, params, AbortSignal.any([over, AbortSignal.timeout(wallet.nodeTimeout)]))
    }
    try {
      const answer = await work(ask)
      if (!answer) return undefined
      answers.push(answer)
    } catch (error) {
      failure = error
    }
  }
  if (answers.length < chain.quorum) throw unchecked(chain.id, 'Its nodes returned an invalid response.', failure)
  return answers
}

const isOther = (one: ContractProof, other: ContractProof) =>
  one.kind !== other.kind ||
  one.deployment !== other.deployment ||
  one.codeHash !== other.codeHash ||
  one.implementation !== other.implementation

async function askNode(
  ask: Ask,
  chain: Chain,
  { address, text, earlier }: Check,
  { bytes, deployment }: Unwrapped,
): Promise<ContractProof | undefined> {
  await checkChain(ask, chain)
  // All calls read one block, so the code and its result belong together.
  const block = `0x${readQuantity(await ask('eth_blockNumber', [])).toString(16)}`
  const code = readHex(await ask('eth_getCode', [address, block]))
  if (code.length > 0) {
    // Nothing runs before the account is asked: a call beside the signature could buy the account's owner token.
    if (!(await isAccepted({ text, bytes }))) return undefined
    const kind = code.length === 23 && code.toString('hex', 0, 3) === 'ef0100' ? 'delegated' : 'contract'
    const accepted: boolean[] = []
    for (const proof of earlier) {
      const signature = unwrap(proof.signature)
      accepted.push(signature !== undefined && (await isAccepted({ text: proof.text, bytes: signature.bytes })))
    }
    const named = readHex(await ask('eth_getStorageAt', [address, implementationSlot, block])).toString('hex')
    const implementation = /^0*$/.test(named) ? null : `0x${named.slice(-40)}`
    return { kind, codeHash: hashCode(`0x${code.toString('hex')}`), implementation, accepted }
  }
  if (!deployment) return undefined
  const { factory, data } = deployment
  const input = encode(Buffer.from(address.slice(2), 'hex'), hashPersonalMessage(text), [bytes], factory, [data])
  const result = await ask('eth_call', [{ data: `${undeployedCheck}${input.toString('hex')}` }, block])
  if (result === reverted) return undefined
  const answer = readHex(result)
  // Only our own code responds here, with one word.
  if (answer.length !== 32) throw new Error('the node did not run the check')
  if (BigInt(`0x${answer.toString('hex')}`) !== 1n) return undefined
  const hash = createHash('sha256').update(factory).update(data).digest('hex')
  return { kind: 'contract', deployment: hash, codeHash: null, implementation: null, accepted: [] }

  async function isAccepted(signed: { text: string; bytes: Buffer }): Promise<boolean> {
    const result = await ask('eth_call', [{ to: address, data: writeQuestion(signed) }, block])
    return result !== reverted && readHex(result).toString('hex', 0, 32) === accepts.padEnd(64, '0')
  }
}

function writeQuestion({ text, bytes }: { text: string; bytes: Buffer }): `0x${string}` {
  return `0x${accepts}${encode(hashPersonalMessage(text), [bytes]).toString('hex')}`
}

/** The call that asks a contract whether it accepts a signature (ERC-1271). */
export function encodeQuestion({ text, signature }: Signed): `0x${string}` | undefined {
  const unwrapped = unwrap(signature)
  return unwrapped && writeQuestion({ text, bytes: unwrapped.bytes })
}

/** A signature without what is wrapped around it. */
export function innerSignature(signature: string): Buffer | undefined {
  return unwrap(signature)?.bytes
}

/** Ends a signature of an account that is not deployed yet (ERC-6492). */
const undeployedMark = '6492'.repeat(16)

/**
 * Unwraps a signature. `undefined` for an unknown wrapper, such as ERC-8010, whose mark is two bytes sixteen times as
 * well, for a nested one, and for an unreadable one.
 */
function unwrap(signature: string): Unwrapped | undefined {
  const hex = signature.slice(2).toLowerCase()
  const bytes = Buffer.from(hex, 'hex')
  if (!hex.endsWith(undeployedMark)) return isWrapped(bytes) ? undefined : { bytes }
  const body = bytes.subarray(0, -32)
  const factory = body.subarray(12, 32)
  const data = readBytes(body, 1)
  const inner = readBytes(body, 2)
  if (factory.length < 20 || !data || !inner || isWrapped(inner)) return undefined
  return { bytes: inner, deployment: { factory, data } }
}

/** A mark of zeros would be none: what ends in an empty list ends in them. */
function isWrapped(bytes: Buffer): boolean {
  const mark = bytes.toString('hex', Math.max(bytes.length - 32, 0))
  return mark.length === 64 && !mark.startsWith('0000') && mark === mark.slice(0, 4).repeat(16)
}

/** The bytes that the word at this place of the head leads to; `undefined` where that is outside. */
function readBytes(body: Buffer, place: number): Buffer | undefined {
  const offset = readOffset(body, place * 32)
  const length = offset === undefined ? undefined : readOffset(body, offset)
  if (offset === undefined || length === undefined || offset + 32 + length > body.length) return undefined
  return body.subarray(offset + 32, offset + 32 + length)
}

function readOffset(body: Buffer, at: number): number | undefined {
  if (at + 32 > body.length) return undefined
  const value = BigInt(`0x${body.toString('hex', at, at + 32)}`)
  return value <= BigInt(body.length) ? Number(value) : undefined
}

/** Arguments of a contract, after its ABI: a word each, or bytes of any length in a list of one. */
function encode(...values: (Uint8Array | [Uint8Array])[]): Buffer {
  const heads: Buffer[] = []
  const tails: Buffer[] = []
  let offset = values.length * 32
  for (const value of values) {
    if (!Array.isArray(value)) {
      heads.push(Buffer.concat([Buffer.alloc(32 - value.length), value]))
      continue
    }
    const [bytes] = value
    heads.push(word(offset))
    const tail = Buffer.concat([word(bytes.length), bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)])
    tails.push(tail)
    offset += tail.length
  }
  return Buffer.concat([...heads, ...tails])
}

function word(value: number): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
}

function readQuantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(value)) throw new Error('the node returned no number')
  return BigInt(value)
}

function readHex(value: unknown): Buffer {
  if (typeof value !== 'string' || value.length % 2 || !/^0x[0-9a-f]*$/i.test(value))
    throw new Error('the node returned no bytes')
  return Buffer.from(value.slice(2), 'hex')
}

async function callNode(url: string, method: string, params: unknown[], signal: AbortSignal): Promise<unknown> {
  const address = new URL(url)
  const { username, password } = address
  // Credentials in an address are none that fetch takes.
  address.username = ''
  address.password = ''
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(username && { authorization: `Basic ${credentials}` }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    redirect: 'error',
    signal,
  })
  const answer: unknown = parseJson(await readLimited(response.body, largestAnswer))
  const { id, result, error } = Object(answer) as { id?: unknown; result?: unknown; error?: unknown }
  if (id !== 1) throw new Error(`the response of the node is not JSON-RPC (status ${response.status})`)
  if (error === undefined || error === null) return result
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  if (method === 'eth_call' && (code === 3 || (typeof message === 'string' && faultOfContract.test(message))))
    return reverted
  throw new Error(`the node returned the error ${String(code).slice(0, 20)}`)
}

/** Messages by which nodes report a fault of the contract, not of the node. */
const faultOfContract = /revert|out of gas|invalid (opcode|jump)|bad jump|stack (over|under)flow|VM execution error/i

function unchecked(chainId: number, why: string, cause?: unknown): CountersignError {
  return new CountersignError(
    'ConnectionFailed',
    `The signature could not be checked on chain ${chainId}. ${why} Nobody was signed in.`,
    {
      details:
        'Contract accounts are checked on the chain in the signed message; see "chains" in docs/configuration.md.',
      cause,
    },
  )
}

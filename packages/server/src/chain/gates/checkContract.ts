import { CountersignError } from '@countersign/protocol'
import type { Chain } from '../nodes/Chain.ts'
import { readHex } from '../nodes/quantities.ts'
import { getNftContracts } from '../reads/getNftContracts.ts'
import type { Gate } from './Gate.ts'

/** A gate on what is no such token would stay shut without a word. */
export async function checkContract(chain: Chain, gate: Gate): Promise<void> {
  if (gate.kind === 'native' || !gate.token) {
    await chain.head({ fresh: true })
    return
  }
  const code = readHex(await chain.request('eth_getCode', [gate.token, 'latest'], { keep: 'none' }))
  if (code === '0x') {
    throw new CountersignError('InvalidValue', `There is no contract at ${gate.token} on the chain ${chain.name}.`)
  }
  if (gate.kind === 'erc20') return
  const [contract] = await getNftContracts(chain, [gate.token])
  if (contract?.kind && contract.kind !== gate.kind) {
    throw new CountersignError('InvalidValue', `The contract says that it is ${contract.kind}, not ${gate.kind}.`)
  }
}

// node --import jiti/register packages/server/src/testing/chain/serveTokens.ts <tokens>
// A true EVM with so many ERC-20 tokens, all of which one address holds. Prints what a server must know, as a line of
// JSON; on SIGUSR2 what it was asked so far, on SIGHUP it mines a block.
import { createDeployerClient } from './createDeployerClient.ts'
import { deployContract } from './deployContract.ts'
import { getArtifact } from './getArtifact.ts'
import { startChain } from './startChain.ts'

const holder = '0x00000000000000000000000000000000c0ffee01'
const count = Number(process.argv[2] ?? 1000)
const node = await startChain()
const client = createDeployerClient(node)
const multicall = await deployContract(node, getArtifact('Multicall3'))
const token = getArtifact('Token')
for (let number = 0; number < count; number++) {
  const address = await deployContract(node, token, [`Token ${number}`, `T${number}`, number % 19])
  await client.writeContract({ address, abi: token.abi, functionName: 'mint', args: [holder, BigInt(number + 1)] })
}
process.on('SIGUSR2', () => console.log(JSON.stringify({ requests: node.faults.requests, calls: node.faults.calls })))
process.on('SIGHUP', () => void node.mine().then(() => console.log(JSON.stringify({ mined: true }))))
console.log(JSON.stringify({ url: node.url, chainId: node.chainId, holder, multicall }))

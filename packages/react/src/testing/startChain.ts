import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Abi, type Address, encodeDeployData, type Hex } from 'viem'

const server = join(import.meta.dirname, '../../../server')
const folder = join(server, 'src/testing/chain')

export type TestChain = {
  readonly url: string
  readonly chainId: number
  readonly ask: (method: string, params?: readonly unknown[]) => Promise<unknown>
  /** The account that has all the ether, and that the chain itself signs for. */
  readonly rich: Address
  readonly give: (address: string, wei: bigint) => Promise<void>
  readonly deploy: (
    name: string,
    from?: string,
    args?: readonly unknown[],
  ) => Promise<{ readonly address: Address; readonly abi: Abi }>
  readonly stop: () => Promise<void>
}

/** The chain of the server's tests, a real EVM, in a process of its own. */
export async function startChain(): Promise<TestChain> {
  const script = `
    import { createJiti } from 'jiti'
    const file = ${JSON.stringify(join(folder, 'startChain.ts'))}
    const { startChain } = await createJiti(file).import(file)
    const { url, chainId, request } = await startChain()
    process.on('message', ({ id, method, params }) =>
      request(method, params).then(
        (result) => process.send({ id, result }),
        ({ message }) => process.send({ id, message }),
      ),
    )
    process.send({ url, chainId })
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: server,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const { url, chainId } = await new Promise<{ url: string; chainId: number }>((resolve, reject) => {
    child.once('message', resolve)
    void exited.then(() => reject(new Error(`The chain ended: ${errors}`)))
  })

  let count = 0
  // Not by `fetch`, which in a simulated page keeps to the rules of pages.
  const ask: TestChain['ask'] = (method, params = []) =>
    new Promise((resolve, reject) => {
      const id = ++count
      const settle = (answer: { id?: number; result?: unknown; message?: string }) => {
        if (answer.id !== id) return
        child.off('message', settle)
        if (answer.message === undefined) resolve(answer.result)
        else reject(new Error(answer.message))
      }
      child.on('message', settle)
      child.send({ id, method, params })
    })
  const [rich = '0x'] = (await ask('eth_accounts')) as Address[]

  return {
    url,
    chainId,
    ask,
    rich,
    async give(address, wei) {
      await ask('eth_sendTransaction', [{ from: rich, to: address, value: `0x${wei.toString(16)}` }])
    },
    async deploy(name, from = rich, args = []) {
      const text = await readFile(join(folder, `artifacts/${name}.json`), 'utf8')
      const { abi, bytecode } = JSON.parse(text) as { abi: Abi; bytecode: Hex }
      const hash = await ask('eth_sendTransaction', [{ from, data: encodeDeployData({ abi, bytecode, args }) }])
      const { contractAddress } = (await ask('eth_getTransactionReceipt', [hash])) as { contractAddress: Address }
      return { address: contractAddress, abi }
    },
    async stop() {
      child.kill()
      await exited
    },
  }
}

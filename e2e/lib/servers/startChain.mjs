import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { encodeDeployData, encodeFunctionData } from 'viem'

const server = fileURLToPath(new URL('../../../packages/server/', import.meta.url))
const folder = `${server}src/testing/chain/`

/**
 * The chain of the server's tests, a real EVM, in a process of its own.
 *
 * @returns {Promise<{
 *   url: string,
 *   chainId: number,
 *   ask: (method: string, params?: unknown[]) => Promise<any>,
 *   deploy: (name: string, args?: unknown[]) => Promise<string>,
 *   call: (name: string, to: string, method: string, args: unknown[], from?: string) => Promise<string>,
 *   give: (address: string, wei: bigint) => Promise<void>,
 *   stop: () => Promise<void>,
 * }>}
 */
export async function startChain() {
  const script = `
    import { createJiti } from 'jiti'
    const file = ${JSON.stringify(`${folder}startChain.ts`)}
    const { startChain } = await createJiti(file).import(file)
    const { url, chainId } = await startChain()
    process.send({ url, chainId })
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: server,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  /** @type {{ url: string, chainId: number }} */
  const { url, chainId } = await new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(/** @type {any} */ (message)))
    void exited.then(() => reject(new Error('The chain ended.')))
  })

  const ask = async (/** @type {string} */ method, /** @type {unknown[]} */ params = []) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'Content-Type': 'application/json' }
    const { result, error } = await (await fetch(url, { method: 'POST', headers, body })).json()
    if (error) throw new Error(error.message)
    return result
  }
  const [rich] = await ask('eth_accounts')
  const read = async (/** @type {string} */ name) =>
    JSON.parse(await readFile(`${folder}artifacts/${name}.json`, 'utf8'))

  return {
    url,
    chainId,
    ask,
    async deploy(name, args = []) {
      const { abi, bytecode } = await read(name)
      const hash = await ask('eth_sendTransaction', [{ from: rich, data: encodeDeployData({ abi, bytecode, args }) }])
      return (await ask('eth_getTransactionReceipt', [hash])).contractAddress
    },
    async call(name, to, functionName, args, from = rich) {
      const { abi } = await read(name)
      if (from !== rich) {
        // The chain needs no key of anyone.
        await ask('hardhat_impersonateAccount', [from])
        await ask('hardhat_setBalance', [from, '0xffffffffffffffff'])
      }
      return ask('eth_sendTransaction', [{ from, to, data: encodeFunctionData({ abi, functionName, args }) }])
    },
    async give(address, wei) {
      await ask('eth_sendTransaction', [{ from: rich, to: address, value: `0x${wei.toString(16)}` }])
    },
    async stop() {
      child.kill()
      await exited
    },
  }
}

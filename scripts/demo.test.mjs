import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setup } from './seedData.mjs'
import { buildUnits } from './steps/buildUnits.mjs'
import { findFreePort } from './steps/programs/findFreePort.mjs'
import { root } from './steps/root.mjs'

const { generatePrivateKey, privateKeyToAccount } = createRequire(join(root, 'packages/server/package.json'))(
  'viem/accounts',
)

/** @type {string} */
let folder
/** @type {Awaited<ReturnType<typeof startDemo>>} */
let demo

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cs-demo-'))
  await buildUnits()
  // Making a database takes longer than all that is tried here.
  await setup()
  cpSync(process.env.COUNTERSIGN_SEED ?? '', join(folder, 'server'), { recursive: true })
  demo = await startDemo()
}, 300_000)

afterAll(async () => {
  await demo?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The demo as a person starts it, on a free port, with something moving every second. */
async function startDemo() {
  const port = await findFreePort()
  const parameters = [join(root, 'scripts/demo.mjs'), '--port', String(port), '--data', folder, '--pace', '1']
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const isReady = await waitFor(() => child.exitCode !== null || output.includes('The demo is ready'), 240_000)
  if (!isReady || child.exitCode !== null) {
    child.kill('SIGKILL')
    throw new Error(`The demo did not start:\n${output}`)
  }
  const find = (/** @type {RegExp} */ pattern) => pattern.exec(output)?.[1] ?? ''
  const url = `http://127.0.0.1:${port}`
  const address = find(/addresses\/(0x\w{40})\/tokens/)
  const node = find(/Chain\s+31337 at (\S+)/)

  /**
   * @param {string} path
   * @param {{ body?: object, token?: string }} [options]
   * @returns {Promise<any>}
   */
  const ask = async (path, { body, token } = {}) => {
    const response = await fetch(`${url}/server${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        'Content-Type': 'application/json',
        'X-Parse-Application-Id': 'demo',
        'X-Parse-Installation-Id': 'a-browser',
        ...(token && { 'X-Parse-Session-Token': token }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json()
  }
  const stop = async () => {
    child.kill('SIGTERM')
    return exited
  }
  return { url, address, node, ask, stop, output: () => output }
}

/**
 * @param {() => unknown} condition
 * @param {number} [milliseconds]
 */
async function waitFor(condition, milliseconds = 15_000) {
  const end = Date.now() + milliseconds
  while (Date.now() < end) {
    const met = await condition()
    if (met) return met
    await new Promise((done) => setTimeout(done, 100))
  }
  return undefined
}

/**
 * @param {string} method
 * @param {unknown[]} params
 */
async function askNode(method, params) {
  const response = await fetch(demo.node, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return response.json()
}

test('the server is ready and serves one chain, whose index is complete', async () => {
  expect((await fetch(`${demo.url}/ready`)).status).toBe(200)
  expect(await (await fetch(demo.url)).text()).toContain('<div id="root"')
  const synced = await waitFor(async () => {
    const { results } = await demo.ask('/chain')
    return results?.[0]?.index?.status === 'SYNCED' && results
  })
  expect(synced).toMatchObject([{ id: 31_337, name: 'Demo chain', index: { mode: 'all' } }])
  expect(synced).toHaveLength(1)
  const { count } = await demo.ask('/classes/Transfer?limit=0&count=1')
  expect(count).toBeGreaterThan(300)
})

test('ada signs in with her password; her tokens are those that the chain has', async () => {
  const user = await demo.ask('/login', { body: { username: 'ada', password: 'correct horse' } })
  expect(user.ethAddress).toBe(demo.address.toLowerCase())
  const balances = async () => {
    const { result } = await demo.ask(`/chain/demo/addresses/${demo.address}/tokens`)
    return Promise.all(
      result.map(async (/** @type {any} */ { token, symbol, decimals, balance }) => {
        const data = `0x70a08231${demo.address.slice(2).toLowerCase().padStart(64, '0')}`
        const real = await askNode('eth_call', [{ to: token, data }, 'latest'])
        return { symbol, decimals, isTrue: BigInt(real.result) === BigInt(balance) }
      }),
    )
  }
  // Somebody may send her something between the two questions.
  const agreed = await waitFor(async () => {
    const found = await balances()
    return found.length >= 6 && found.every(({ isTrue }) => isTrue) && found
  })
  expect(/** @type {any[]} */ (agreed).map(({ symbol, decimals }) => `${symbol} ${decimals}`).sort()).toEqual(
    ['DBTC 8', 'DUSD 6', 'HRBR 18', 'LOAF 0', 'TIDE 2', 'WETH 18'].sort(),
  )
})

test('her pictures can be shown, her name leads to her, and what is traded has a price', async () => {
  const picture = await waitFor(async () => {
    const { result } = await demo.ask(`/chain/demo/addresses/${demo.address}/nfts`)
    return JSON.stringify(result).includes('data:image/svg+xml;base64,') && result
  })
  expect(JSON.stringify(picture)).toContain('Lanterns #1')
  // The demo's node mines all the time: on a slow machine it may be too busy to respond immediately.
  /** @type {(path: string) => Promise<any>} */
  const answered = (path) => waitFor(async () => (await demo.ask(path)).result)
  expect((await answered('/chain/demo/names/ada.eth')).address).toBe(demo.address.toLowerCase())
  const price = /tokens\/(0x\w{40})\/price/.exec(demo.output())?.[1]
  expect(Number((await answered(`/chain/demo/tokens/${price}/price`)).usd)).toBeCloseTo(1, 2)
})

test('an unknown wallet gets gifts once it has signed in', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const { message } = await demo.ask('/auth/challenge', { body: { address: account.address, chainId: 31_337 } })
  const signature = await account.signMessage({ message })
  const { sessionToken } = await demo.ask('/auth/signInWithWallet', { body: { message, signature } })
  expect(sessionToken).toMatch(/^r:/)
  const tokens = await waitFor(async () => {
    const { result } = await demo.ask(`/chain/demo/addresses/${account.address}/tokens`)
    return result.length >= 6 && result
  })
  expect(tokens).toBeTruthy()
  const named = await waitFor(async () => {
    const { result } = await demo.ask(`/chain/demo/addresses/${account.address}/name`)
    return result?.name
  })
  expect(named).toBe(`guest-${account.address.slice(2, 8).toLowerCase()}.eth`)
  const { result } = await demo.ask(`/chain/demo/addresses/${account.address}/balance`)
  expect(BigInt(result.balance)).toBeGreaterThanOrEqual(5n * 10n ** 18n)
})

test('the node shares its own accounts with nobody', async () => {
  for (const method of ['eth_sendTransaction', 'evm_mine', 'hardhat_setBalance']) {
    expect(await askNode(method, [{}])).toMatchObject({ error: { code: -32601 } })
  }
})

test('a code by email is on, and the banner prints a link that opens the console once', async () => {
  const { emailCode, demoChains } = await (await fetch(`${demo.url}/config.json`)).json()
  expect(emailCode).toEqual({ signUp: true })
  expect(demoChains).toEqual([{ id: 31_337, rpcUrls: ['/demo/node/31337'] }])
  const link = /Console\s+open once to become an administrator: \S+\/admin\/claim#(\S+)/.exec(demo.output())?.[1]
  expect(link).toBeTruthy()
  const { sessionToken: token } = await demo.ask('/login', { body: { username: 'ada', password: 'correct horse' } })
  expect(await demo.ask('/console/claim', { body: { token: link }, token })).toEqual({ role: 'admin' })
})

test('something moves all the time; a second start continues where the first ended', async () => {
  const newest = async () => (await demo.ask('/classes/Transfer?order=-block&limit=1')).results[0]
  const before = await newest()
  expect(await waitFor(async () => (await newest()).block > before.block)).toBe(true)
  expect(await demo.stop()).toBe(0)
  await expect(fetch(`${demo.url}/ready`)).rejects.toThrow()
  await expect(askNode('eth_chainId', [])).rejects.toThrow()

  demo = await startDemo()
  const again = await demo.ask(`/classes/Transfer/${before.objectId}`)
  expect(again.blockHash).toBe(before.blockHash)
  const block = await askNode('eth_getBlockByNumber', [`0x${before.block.toString(16)}`, false])
  expect(block.result.hash).toBe(before.blockHash)
  expect(await waitFor(async () => (await newest()).block > before.block + 1)).toBe(true)
  // The console has an administrator now.
  expect(demo.output()).not.toContain('/admin/claim')
  expect(demo.output()).toContain(`Console   http://localhost:${new URL(demo.url).port}/admin`)
  const user = await demo.ask('/login', { body: { username: 'ada', password: 'correct horse' } })
  expect(user.sessionToken).toMatch(/^r:/)
}, 300_000)

test('--fresh leaves a folder alone that is not of the demo', async () => {
  const other = mkdtempSync(join(tmpdir(), 'cs-other-'))
  writeFileSync(join(other, 'thesis.txt'), 'ten years')
  const child = spawn(process.execPath, [join(root, 'scripts/demo.mjs'), '--fresh', '--data', other], { stdio: 'pipe' })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1)
  expect(output).toContain('is not a folder of the demo')
  expect(existsSync(join(other, 'thesis.txt'))).toBe(true)
  rmSync(other, { recursive: true })
}, 300_000)

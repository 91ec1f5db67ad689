import { createEip1193Connector, createNetworkConnector, type Eip1193Provider } from '@countersign/react/core'
import { announceTestWallet, createTestWallet } from '@countersign/react/testing'
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { ethers } from 'ethers'
import { type ReactNode, StrictMode } from 'react'
import { namehash } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startChain, type TestChain } from '../../react/src/testing/startChain.ts'
import { visit } from '../../react/src/testing/visit.ts'
import {
  MoralisProvider,
  type MoralisProviderProps,
  useChain,
  useEnsAddress,
  useEnsName,
  useMoralis,
  useWeb3Contract,
  useWeb3ExecuteFunction,
  useWeb3Transfer,
} from './index.ts'

// Loading on first use takes time on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

let chain: TestChain
let shelf: { contractAddress: string; abi: object }

beforeAll(async () => {
  chain = await startChain()
  // The simulated page asks its own origin alone.
  visit(chain.url)
  const { address, abi } = await chain.deploy('Shelf')
  shelf = { contractAddress: address, abi }
})
afterEach(() => {
  cleanup()
  window.localStorage.clear()
})
afterAll(() => chain?.stop())

/** An application without a server, as students write it: the provider with initialize-on-mount off, and a wallet. */
async function open<Result>(rdns: string, useIt: () => Result, props: Partial<MoralisProviderProps> = {}) {
  const options = { rdns, rpcUrl: chain.url, chainId: chain.chainId, chains: [1, chain.chainId] }
  const wallet = announceTestWallet(await createTestWallet(options), window)
  await chain.give(wallet.addresses[0] ?? '', 10n ** 19n)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <MoralisProvider {...props} initializeOnMount={false}>
        {children}
      </MoralisProvider>
    </StrictMode>
  )
  const { result, unmount } = renderHook(() => ({ ...useMoralis(), it: useIt() }), { wrapper })
  const enable = () => act(() => result.current.enableWeb3({ provider: rdns }))
  return { wallet, result, enable, unmount, wrapper }
}

const nothing = () => undefined

test('R12: enabling loads, succeeds or fails; account, chain and disconnection are followed', async () => {
  const changed = vi.fn()
  const { wallet, result, enable } = await open('org.example.enable', nothing, {
    options: { onAccountChanged: changed },
  })
  const { Moralis } = result.current
  const events: unknown[] = []
  for (const name of ['onWeb3Enabled', 'onWeb3Deactivated', 'onChainChanged', 'onAccountChanged'] as const) {
    Moralis[name]((payload) => events.push([name, typeof payload === 'string' ? payload : undefined]))
  }
  expect(result.current).toMatchObject({
    isWeb3Enabled: false,
    web3: null,
    account: null,
    chainId: null,
    provider: null,
  })
  wallet.rejectNext()
  expect(await enable()).toBeUndefined()
  expect(result.current.web3EnableError).toMatchObject({ cause: { code: 4001 } })
  wallet.hold()
  let enabling: Promise<unknown> | undefined
  act(() => {
    enabling = result.current.enableWeb3({ provider: 'org.example.enable' })
  })
  await waitFor(() => expect(result.current.isWeb3EnableLoading).toBe(true))
  wallet.release()
  await act(() => enabling)
  const [first = '', second = ''] = wallet.addresses.map((address) => address.toLowerCase())
  const hex = `0x${chain.chainId.toString(16)}`
  expect(result.current).toMatchObject({ isWeb3Enabled: true, isWeb3EnableLoading: false, web3EnableError: null })
  expect(result.current).toMatchObject({ account: first, chainId: hex, network: 'evm', connectorType: 'injected' })
  expect([Moralis.account, Moralis.chainId, Moralis.isWeb3Enabled()]).toEqual([first, hex, true])
  const before = result.current.web3
  await act(() => wallet.switchAccount(1))
  await waitFor(() => expect(result.current.account).toBe(second))
  expect(result.current.web3).toBe(before)
  await act(() => wallet.switchChain(1))
  await waitFor(() => expect(result.current.chainId).toBe('0x1'))
  expect(result.current.web3).not.toBe(before)
  await act(() => result.current.deactivateWeb3())
  expect(result.current).toMatchObject({ isWeb3Enabled: false, web3: null, account: null, connector: null })
  expect(events).toEqual([
    ['onWeb3Enabled', undefined],
    ['onAccountChanged', second],
    ['onChainChanged', '0x1'],
    ['onAccountChanged', undefined],
    ['onWeb3Deactivated', undefined],
  ])
  expect(changed.mock.calls).toEqual([[second], [undefined]])
})

test('the wallet is restored after a reload, and enabling then shows no prompt', async () => {
  const { wallet, result, enable, unmount, wrapper } = await open('org.example.again', nothing)
  await enable()
  unmount()
  wallet.clear()
  const again = renderHook(() => useMoralis(), { wrapper })
  await act(() => again.result.current.enableWeb3())
  await waitFor(() => expect(again.result.current.isWeb3Enabled).toBe(true))
  expect(again.result.current.account).toBe(result.current.account)
  expect(wallet.prompts()).toEqual([])
})

test('R15: without a wallet a call says so', async () => {
  const { result } = await open('org.example.none', () => useWeb3Contract({ ...shelf, functionName: 'value' }))
  const errors: Error[] = []
  await act(() => result.current.it.runContractFunction({ onError: (error) => errors.push(error) }))
  expect(errors[0]?.message).toBe('Missing web3 instance, make sure to call enableWeb3 or authenticate')
  expect(result.current.it.error).toMatchObject({ name: 'ValidationError' })
})

test('a contract is read and written as with ethers 5', async () => {
  const { wallet, result, enable } = await open('org.example.contract', () => ({
    value: useWeb3Contract({ ...shelf, functionName: 'value', params: {} }),
    pay: useWeb3Contract({ ...shelf, functionName: 'pay', msgValue: '5' }),
    put: useWeb3Contract({ ...shelf, functionName: 'put' }),
    look: useWeb3ExecuteFunction({ ...shelf, functionName: 'look', params: { place: 3 } }, { autoFetch: true }),
    refuse: useWeb3Contract({ ...shelf, functionName: 'refuse', params: { kind: 0 } }),
    set: useWeb3Contract({ ...shelf, functionName: 'set' }),
  }))
  await enable()
  await waitFor(() => expect(result.current.it.look.data?.who).toBe(wallet.addresses[0]))
  expect(result.current.it.look.data.book.pages.toNumber()).toBe(0)
  const order: string[] = []
  const tx = await act(() =>
    result.current.it.pay.runContractFunction({
      onSuccess: (sent) => order.push(`sent ${sent.hash.length}`),
      onComplete: () => order.push('complete'),
    }),
  )
  expect(order).toEqual(['sent 66', 'complete'])
  expect(tx).toMatchObject({ from: wallet.addresses[0], to: expect.stringMatching(/^0x/), chainId: chain.chainId })
  expect(tx.value.toString()).toBe('5')
  const receipt = await tx.wait(1)
  expect(receipt).toMatchObject({ status: 1, transactionHash: tx.hash, confirmations: expect.any(Number), events: [] })
  expect(receipt.gasUsed.gt(21000)).toBe(true)
  const value = await act(() => result.current.it.value.runContractFunction())
  expect([value.toString(), value.toNumber(), ethers.utils.formatUnits(value, 'wei')]).toEqual(['5', 5, '5'])
  expect(result.current.it.value.data.eq(ethers.BigNumber.from(5))).toBe(true)
  const params = { ...shelf, functionName: 'put', params: { place: 3, book: { title: 'Sand', pages: '12' } } }
  await (await act(() => result.current.it.put.runContractFunction({ params }))).wait()
  await act(() => result.current.it.look.fetch())
  expect(result.current.it.look.data[0][0]).toBe('Sand')
  expect(result.current.it.look.data.book.pages.toString()).toBe('12')
  await act(() => result.current.it.refuse.runContractFunction())
  expect(result.current.it.refuse.error).toMatchObject({ name: 'RevertError', revertReason: 'closed on Sundays' })
  const thrown = result.current.it.set.runContractFunction({ throwOnError: true })
  await act(() => expect(thrown).rejects.toThrow('Multiple function definitions found in the abi'))
  const which = { ...shelf, functionName: 'set(uint256,bool)', params: { to: 4 } }
  const missing = result.current.it.set.runContractFunction({ params: which, throwOnError: true })
  await act(() => expect(missing).rejects.toThrow('twice is required'))
})

test('web3 is taken by ethers 5 for its own, and the real one is given where the application hands ethers over', async () => {
  const { wallet, result, enable } = await open('org.example.ethers', nothing)
  const web3 = await enable()
  expect(result.current.web3).toBe(web3)
  if (!web3) throw new Error('no web3')
  const [account = ''] = wallet.addresses
  const signer = web3.getSigner()
  expect(await signer.getAddress()).toBe(account)
  expect(ethers.utils.verifyMessage('hello', await signer.signMessage('hello'))).toBe(account)
  expect(await web3.getNetwork()).toMatchObject({ chainId: chain.chainId })
  expect((await web3.getBalance(account)).eq(await chain.ask('eth_getBalance', [account, 'latest']))).toBe(true)
  const coin = await chain.deploy('Coin', chain.rich)
  const abi = JSON.stringify(coin.abi)
  const contract = new ethers.Contract(coin.address, abi, signer as unknown as ethers.Signer)
  expect(String(await contract.balanceOf?.(account))).toBe('0')
  const shelfContract = new ethers.Contract(
    shelf.contractAddress,
    JSON.stringify(shelf.abi),
    signer as unknown as ethers.Signer,
  )
  const tx = await shelfContract['set(uint256)']?.(7)
  expect((await tx.wait()).status).toBe(1)
  expect(Number(await shelfContract.value?.())).toBe(7)
  const sent = await signer.sendTransaction({ to: chain.rich, value: ethers.utils.parseEther('0.5') })
  expect((await sent.wait()).status).toBe(1)
  expect(await web3.getTransactionReceipt(sent.hash)).toMatchObject({ status: 1, from: account })
  cleanup()
  const real = await open('org.example.real', nothing, { web3Library: ethers })
  expect(await real.enable()).toBeInstanceOf(ethers.providers.Web3Provider)
})

test('transfers return a transaction; missing parameters are named', async () => {
  const receiver = '0x00000000000000000000000000000000000000aa'
  const { result, enable } = await open('org.example.transfer', () => ({
    native: useWeb3Transfer({ type: 'native', receiver, amount: '1000' }),
    coin: useWeb3Transfer({ type: 'erc20', receiver }),
  }))
  await enable()
  const tx = await act(() => result.current.it.native.fetch())
  await tx.wait()
  expect(BigInt((await chain.ask('eth_getBalance', [receiver, 'latest'])) as string)).toBe(1000n)
  await act(() => result.current.it.coin.fetch())
  expect(result.current.it.coin.error?.message).toBe('contractAddress is required, amount is required')
})

test('useChain switches, adds a chain that the wallet lacks, and rejects an unknown one', async () => {
  const { wallet, result, enable } = await open('org.example.chain', useChain)
  await enable()
  expect(result.current.it).toMatchObject({ account: result.current.account, network: 'evm' })
  await act(() => result.current.it.switchNetwork('0x1'))
  await waitFor(() => expect(result.current.it.chain?.name).toBe('Ethereum Mainnet'))
  await act(() => result.current.it.switchNetwork('0x89'))
  await waitFor(() => expect(result.current.it.chainId).toBe('0x89'))
  expect(wallet.requests().map(({ method }) => method)).toContain('wallet_addEthereumChain')
  await act(() =>
    expect(result.current.it.switchNetwork('0xdeadbeef')).rejects.toThrow(
      'Chain 0xdeadbeef not supported or is not specified',
    ),
  )
})

test('names of ENS are read, and a claim that the name does not confirm is not believed', async () => {
  const registry = await chain.deploy('NameRegistry')
  const resolver = await chain.deploy('NameResolver')
  const label = (text: string) => ethers.utils.id(text)
  const send = async (to: { address: string; abi: unknown }, name: string, args: unknown[]) => {
    const data = new ethers.utils.Interface(JSON.stringify(to.abi)).encodeFunctionData(name, args)
    await chain.ask('eth_sendTransaction', [{ from: chain.rich, to: to.address, data }])
  }
  const give = (path: string, name: string) =>
    send(registry, 'setSubnodeRecord', [namehash(path), label(name), chain.rich, resolver.address, 0])
  await give('', 'eth')
  await give('eth', 'ada')
  const reverse = (address: string) => `${address.slice(2).toLowerCase()}.addr.reverse`
  const forger = '0x00000000000000000000000000000000000000bb'
  await give('', 'reverse')
  await give('reverse', 'addr')
  for (const address of [chain.rich, forger]) {
    await give('addr.reverse', address.slice(2).toLowerCase())
    await send(resolver, 'setName', [namehash(reverse(address)), 'ada.eth'])
  }
  await send(resolver, 'setAddr', [namehash('ada.eth'), chain.rich])
  await send(resolver, 'setText', [namehash('ada.eth'), 'email', 'ada@example.org'])
  const known = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'
  // The chain of the tests has the registry at another address than the world.
  const provider: Eip1193Provider = {
    async request({ method, params = [] }) {
      if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [chain.rich]
      return chain.ask(method, JSON.parse(JSON.stringify(params).replaceAll(known, registry.address)))
    },
  }
  const connector = createEip1193Connector({ id: 'ens', kind: 'custom', name: 'ENS' }, async () => provider)
  const useNames = () => ({
    name: useEnsName('Ada.eth'),
    back: useEnsAddress(chain.rich),
    forged: useEnsAddress(forger),
  })
  const { result } = await open('org.example.ens', useNames)
  expect(result.current.it.name).toEqual({
    address: null,
    avatar: null,
    email: null,
    url: null,
    isLoading: false,
    error: null,
  })
  await act(() => result.current.enableWeb3({ connector }))
  await waitFor(() => expect(result.current.it.name.email).toBe('ada@example.org'))
  expect(result.current.it.name).toMatchObject({
    address: ethers.utils.getAddress(chain.rich),
    avatar: null,
    url: null,
  })
  await waitFor(() => expect(result.current.it.back).toEqual({ name: 'ada.eth', isLoading: false, error: null }))
  await waitFor(() => expect(result.current.it.forged).toEqual({ name: null, isLoading: false, error: null }))
})

test('R13: a connector of the application, and a class as the older SDK took it', async () => {
  const network = createNetworkConnector({ chains: [{ id: chain.chainId, rpcUrls: [chain.url] }] })
  const { result } = await open('org.example.custom', nothing, { connectors: [network] })
  await act(() => result.current.enableWeb3({ provider: 'network' }))
  expect(result.current).toMatchObject({ isWeb3Enabled: true, account: null, connectorType: 'network' })
  class Older {
    type = 'Older'
    async activate() {
      const request = ({ method, params }: { method: string; params?: unknown[] }) =>
        method === 'eth_requestAccounts' ? Promise.resolve([chain.rich]) : chain.ask(method, params)
      return { provider: { request } }
    }
  }
  await act(() => result.current.enableWeb3({ connector: Older }))
  expect(result.current).toMatchObject({ isWeb3Enabled: true, account: chain.rich.toLowerCase() })
  await act(() => result.current.enableWeb3({ provider: 'wc' }))
  expect(result.current.web3EnableError?.message).toBe('The connector wc is not set up.')
})

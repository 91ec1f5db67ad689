import { type Address, createPublicClient, type Hex, http, serializeErc6492Signature } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Chain } from '../Chain.ts'
import { createWallet } from '../createWallet.ts'
import { deployContract } from '../deployContract.ts'
import { getArtifact } from '../getArtifact.ts'
import { startChain } from '../startChain.ts'
import { delegate7702 } from './delegate7702.ts'
import { deploySafe } from './deploySafe.ts'
import { deploySmartAccount } from './deploySmartAccount.ts'
import { predictSmartAccount } from './predictSmartAccount.ts'
import { signAsSafe } from './signAsSafe.ts'
import { wrap6492 } from './wrap6492.ts'

const message = 'This account is mine.'
const magic: Hex = `0x1626ba7e${'0'.repeat(56)}`

let chain: Chain
let other: Chain

beforeAll(async () => {
  chain = await startChain()
  other = await startChain({ chainId: 10 })
})

afterAll(() => Promise.all([chain.stop(), other.stop()]))

const connect = (to: Chain) => createPublicClient({ transport: http(to.url, { retryCount: 0 }) })

const verify = (on: Chain, address: Address, signature: Hex, text = message) =>
  connect(on).verifyMessage({ address, message: text, signature })

const getCode = (on: Chain, address: Address) => on.request('eth_getCode', [address, 'latest'])

describe('an account that is a key', () => {
  test('signs for itself alone, and for this text alone', async () => {
    const [wallet, stranger] = [createWallet(), createWallet()]
    expect(await verify(chain, wallet.address, await wallet.signMessage({ message }))).toBe(true)
    expect(await verify(chain, wallet.address, await stranger.signMessage({ message }))).toBe(false)
    expect(await verify(chain, wallet.address, await wallet.signMessage({ message }), 'Another text.')).toBe(false)
  })

  test('is the same for the same private key', () => {
    const privateKey: Hex = `0x${'42'.repeat(32)}`
    expect(createWallet(privateKey).address).toBe(createWallet(privateKey).address)
    expect(createWallet().address).not.toBe(createWallet().address)
  })
})

describe('a smart account', () => {
  test('accepts its owner, no one else, and for this text alone', async () => {
    const [owner, stranger] = [createWallet(), createWallet()]
    const address = await deploySmartAccount(chain, { owner: owner.address, salt: 'deployed' })
    expect(await verify(chain, address, await owner.signMessage({ message }))).toBe(true)
    expect(await verify(chain, address, await stranger.signMessage({ message }))).toBe(false)
    expect(await verify(chain, address, await owner.signMessage({ message }), 'Another text.')).toBe(false)
  })

  test('has one address and two owners on two chains', async () => {
    const [here, there] = [createWallet(), createWallet()]
    const address = await deploySmartAccount(chain, { owner: here.address, salt: 'twice' })
    expect(await deploySmartAccount(other, { owner: there.address, salt: 'twice' })).toBe(address)
    const [byHere, byThere] = await Promise.all([here.signMessage({ message }), there.signMessage({ message })])
    expect(await verify(chain, address, byHere)).toBe(true)
    expect(await verify(other, address, byHere)).toBe(false)
    expect(await verify(chain, address, byThere)).toBe(false)
    expect(await verify(other, address, byThere)).toBe(true)
  })

  test('keeps its first owner', async () => {
    const [first, second] = [createWallet(), createWallet()]
    const address = await deploySmartAccount(chain, { owner: first.address, salt: 'kept' })
    expect(await deploySmartAccount(chain, { owner: second.address, salt: 'kept' })).toBe(address)
    expect(await verify(chain, address, await first.signMessage({ message }))).toBe(true)
    expect(await verify(chain, address, await second.signMessage({ message }))).toBe(false)
    await expect(
      connect(chain).simulateContract({
        address,
        abi: getArtifact('SmartAccount').abi,
        functionName: 'initialize',
        args: [second.address],
      }),
    ).rejects.toThrow(/AlreadyOwned/)
  })
})

describe('a smart account that is not deployed', () => {
  test('accepts its owner in a wrapped signature and stays undeployed', async () => {
    const [owner, stranger] = [createWallet(), createWallet()]
    const seed = { owner: owner.address, salt: 'counterfactual' }
    const address = predictSmartAccount(seed)
    const [byOwner, byStranger] = await Promise.all([owner.signMessage({ message }), stranger.signMessage({ message })])
    expect(await verify(chain, address, wrap6492(seed, byOwner))).toBe(true)
    expect(await verify(chain, address, byOwner)).toBe(false)
    expect(await verify(chain, address, wrap6492(seed, byStranger))).toBe(false)
    expect(await verify(chain, address, wrap6492(seed, byOwner), 'Another text.')).toBe(false)
    expect(await verify(chain, address, wrap6492({ ...seed, salt: 'elsewhere' }, byOwner))).toBe(false)
    expect(await getCode(chain, address)).toBe('0x')
  })

  test('is deployed to the predicted address; the wrapped signature stays valid, another owner has none', async () => {
    const [owner, stranger] = [createWallet(), createWallet()]
    const seed = { owner: owner.address, salt: 'later' }
    const wrapped = wrap6492(seed, await owner.signMessage({ message }))
    const address = await deploySmartAccount(chain, seed)
    expect(address).toBe(predictSmartAccount(seed))
    expect(await getCode(chain, address)).not.toBe('0x')
    expect(await verify(chain, address, wrapped)).toBe(true)
    const usurped = wrap6492({ ...seed, owner: stranger.address }, await stranger.signMessage({ message }))
    expect(await verify(chain, address, usurped)).toBe(false)
  })
})

describe('a Safe', () => {
  const owners = [createWallet(), createWallet(), createWallet()] as const
  const [a, b, c] = owners
  const addresses = owners.map(({ address }) => address)

  test('two of three owners sign for it, in any order', async () => {
    const safe = await deploySafe(chain, { owners: addresses, threshold: 2 })
    for (const pair of [
      [a, b],
      [b, a],
      [a, c],
      [c, b],
    ])
      expect(await verify(chain, safe.address, await signAsSafe(safe, pair, message))).toBe(true)
  })

  test('one owner, one owner twice, a stranger, another text or another Safe is not enough', async () => {
    const safe = await deploySafe(chain, { owners: addresses, threshold: 2 })
    const twin = await deploySafe(chain, { owners: addresses, threshold: 2 })
    expect(twin.address).not.toBe(safe.address)
    const refuse = async (signature: Hex, text = message) =>
      expect(await verify(chain, safe.address, signature, text)).toBe(false)
    await refuse(await signAsSafe(safe, [a], message))
    await refuse(await signAsSafe(safe, [a, a], message))
    await refuse(await signAsSafe(safe, [a, createWallet()], message))
    await refuse(await signAsSafe(safe, [a, b], message), 'Another text.')
    await refuse(await signAsSafe(twin, [a, b], message))
    await refuse(await signAsSafe({ ...safe, chainId: other.chainId }, [a, b], message))
    await refuse(await a.signMessage({ message }))
  })
})

describe('a delegated account', () => {
  const delegation = async () => {
    const [account, key, stranger] = [createWallet(), createWallet(), createWallet()]
    const implementation = await deployContract(chain, getArtifact('KeyHolder'), [key.address])
    await delegate7702(chain, account, implementation)
    return { account, key, stranger, implementation }
  }

  test('carries the designator of its delegate', async () => {
    const { account, implementation } = await delegation()
    expect(await getCode(chain, account.address)).toBe(`0xef0100${implementation.slice(2).toLowerCase()}`)
    expect(await getCode(other, account.address)).toBe('0x')
  })

  test('accepts the key of its delegate, on the chain it is delegated on', async () => {
    const { account, key, stranger } = await delegation()
    expect(await verify(chain, account.address, await key.signMessage({ message }))).toBe(true)
    expect(await verify(chain, account.address, await stranger.signMessage({ message }))).toBe(false)
    expect(await verify(other, account.address, await key.signMessage({ message }))).toBe(false)
  })

  test('its delegate does not know the own key of the account', async () => {
    const { account } = await delegation()
    const hash: Hex = `0x${'11'.repeat(32)}`
    const answer = await connect(chain).readContract({
      address: account.address,
      abi: getArtifact('KeyHolder').abi,
      functionName: 'isValidSignature',
      args: [hash, await account.sign({ hash })],
    })
    expect(answer).toBe('0xffffffff')
  })

  test('can be delegated again', async () => {
    const { account, key } = await delegation()
    const next = createWallet()
    await delegate7702(chain, account, await deployContract(chain, getArtifact('KeyHolder'), [next.address]))
    expect(await verify(chain, account.address, await key.signMessage({ message }))).toBe(false)
    expect(await verify(chain, account.address, await next.signMessage({ message }))).toBe(true)
  })
})

describe('a contract of ill will', () => {
  const signature: Hex = `0x${'00'.repeat(65)}`

  test('says yes to everything', async () => {
    const address = await deployContract(chain, getArtifact('FixedAnswer'), [magic])
    expect(await verify(chain, address, signature)).toBe(true)
    expect(await verify(chain, address, await createWallet().signMessage({ message }), 'Another text.')).toBe(true)
  })

  test.each<[string, Hex]>([
    ['another value', `0xffffffff${'0'.repeat(56)}`],
    ['true', `0x${'0'.repeat(63)}1`],
    ['the magic value on the wrong side', `0x${'0'.repeat(56)}1626ba7e`],
    ['nothing', '0x'],
  ])('responds with %s', async (_, answer) => {
    const address = await deployContract(chain, getArtifact('FixedAnswer'), [answer])
    const { data = '0x' } = await connect(chain).call({ to: address, data: '0x1626ba7e' })
    expect(data).toBe(answer)
    expect(await verify(chain, address, signature)).toBe(false)
  })

  test('reverts with data that a client can read', async () => {
    const address = await deployContract(chain, getArtifact('Reverting'))
    const hash: Hex = `0x${'ab'.repeat(32)}`
    await expect(
      connect(chain).readContract({
        address,
        abi: getArtifact('Reverting').abi,
        functionName: 'isValidSignature',
        args: [hash, signature],
      }),
    ).rejects.toThrow(new RegExp(`Refused[^]*${hash}`))
    expect(await verify(chain, address, signature)).toBe(false)
  })

  test('burns all gas', async () => {
    const address = await deployContract(chain, getArtifact('GasBurner'))
    await expect(
      connect(chain).readContract({
        address,
        abi: getArtifact('GasBurner').abi,
        functionName: 'isValidSignature',
        args: [`0x${'ab'.repeat(32)}`, signature],
      }),
    ).rejects.toThrow(/out of gas/i)
    expect(await verify(chain, address, signature)).toBe(false)
  })

  test('a factory of ill will deploys nothing', async () => {
    const factory = await deployContract(chain, getArtifact('Reverting'))
    const owner = createWallet()
    const wrapped = serializeErc6492Signature({
      address: factory,
      data: '0x12345678',
      signature: await owner.signMessage({ message }),
    })
    expect(await verify(chain, predictSmartAccount({ salt: 'never' }), wrapped)).toBe(false)
  })
})
